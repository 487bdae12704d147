// Follows the imports of built files.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';

/** The ways, static or dynamic, from a file of a folder to a module of Node or to undici; each is a list of names. */
export function nodeImports(folder, entry) {
  const ways = [];
  const cameFrom = new Map([[entry, undefined]]);
  for (const file of cameFrom.keys()) {
    const { importedFiles } = ts.preProcessFile(readFileSync(posix.join(folder, file), 'utf8'), true, true);
    for (const { fileName: name } of importedFiles) {
      if (name.startsWith('.')) {
        const target = posix.join(posix.dirname(file), name);
        if (!cameFrom.has(target)) cameFrom.set(target, file);
      } else if (isBuiltin(name) || /^undici($|\/)/.test(name)) {
        const way = [name];
        for (let at = file; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
        ways.push(way);
      }
    }
  }
  return ways;
}
