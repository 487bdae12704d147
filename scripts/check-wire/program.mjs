// Compiles files, some of which exist only in memory, with the repository's compiler options.

import { join } from 'node:path';
import ts from 'typescript';

/** `inMemory` maps file names to texts. */
export function compile(root, files, inMemory) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => inMemory.has(name) || fileExists.call(host, name);
  host.getSourceFile = (name, ...rest) =>
    inMemory.has(name)
      ? ts.createSourceFile(name, inMemory.get(name), ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, name, ...rest);
  return ts.createProgram([...files, ...inMemory.keys()], { ...options, lib: ['lib.es2023.d.ts'], types: [] }, host);
}

/** What the compiler has against a file: `{ line, text }`, lines from 0. */
export function complaints(program, file) {
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map((one) => ({
    line: file.getLineAndCharacterOfPosition(one.start ?? 0).line,
    text: ts.flattenDiagnosticMessageText(one.messageText, '\n    '),
  }));
}
