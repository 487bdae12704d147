// Reads the source files: their imports, and helpers to walk their syntax trees.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

/** The paths of all .ts files below `root/folder`, relative to `root`, with forward slashes. */
function tsFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) =>
      posix.join(
        folder,
        join(entry.parentPath, entry.name)
          .slice(join(root, folder).length + 1)
          .replaceAll('\\', '/'),
      ),
    )
    .sort();
}

/** Calls `visit` for a node and all below it. */
export function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function importsOf(tree, lineOf) {
  const imports = [];
  const add = (node, specifier, typeOnly) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      imports.push({ specifier: specifier.text, typeOnly, line: lineOf(node) });
  };
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, node.importClause?.isTypeOnly === true);
    else if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add(node, node.argument.literal, true);
    else if (ts.isExternalModuleReference(node)) add(node, node.expression, false);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0], false);
  });
  return imports;
}

/** The room of a file in packages/hawser/src: its first folder; undefined for files elsewhere or in no folder. */
export function roomOf(path) {
  return /^packages\/hawser\/src\/([^/]+)\//.exec(path)?.[1];
}

/** Reads the source of both packages: a map from path to file, each with its relative imports resolved to paths. */
export function readSource(root) {
  const paths = ['packages/hawser/src', 'packages/cli/src'].flatMap((folder) => tsFiles(root, folder));
  const known = new Set(paths);
  const files = new Map();
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8');
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const lineOf = (node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    const imports = importsOf(tree, lineOf).map((found) => {
      if (!found.specifier.startsWith('.')) return found;
      const target = posix.join(dirname(path), found.specifier);
      const candidates = [target, `${target}.ts`, target.replace(/\.js$/, '.ts'), `${target}/index.ts`];
      return { ...found, target: candidates.find((candidate) => known.has(candidate)) ?? target };
    });
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    files.set(path, { path, room: roomOf(path), test: path.endsWith('.test.ts'), tree, lineOf, imports, lines });
  }
  return files;
}
