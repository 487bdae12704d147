// The rules for single files. Each rule yields `{ line, text }`: what is wrong, and what is allowed.
import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { globalUses } from './globals.mjs';
import { walk } from './source.mjs';
import { clockFiles, ground, maxLines, mayImport, nodeFiles, nodePlaces, revisions } from './table.mjs';

const src = 'packages/hawser/src/';
const matches = (patterns, path) => patterns.some((pattern) => pattern.test(path));
const inHawser = (file) => file.path.startsWith(src);

/** Rooms: who may import whom. Test files are free. */
function* roomRule(file) {
  if (file.test) return;
  const allowed = mayImport[file.room];
  if (inHawser(file) && !allowed) {
    yield { line: 1, text: `is in no room; the rooms are ${Object.keys(mayImport).join(', ')}` };
    return;
  }
  const home = inHawser(file) ? src : 'packages/cli/src/';
  for (const { specifier, target, line } of file.imports) {
    if (target === undefined) {
      if (inHawser(file) && /^(hawser|@hawser\/cli)($|\/)/.test(specifier)) {
        yield { line, text: `imports '${specifier}'; inside the library import the file itself` };
      }
    } else if (!target.startsWith(home)) {
      if (target === home.replace('src/', 'package.json')) continue;
      yield { line, text: `imports '${specifier}', which is outside ${home}; other packages are imported by name` };
    } else if (inHawser(file)) {
      const room = target.slice(src.length).split('/')[0];
      if (room !== file.room && ![...allowed, ...ground].includes(room)) {
        yield {
          line,
          text: `imports ${target.slice(src.length)}; ${file.room}/ may import ${[...allowed, ...ground].join(', ')}`,
        };
      } else if (file.room !== 'wire' && revisions.includes(target.slice(`${src}wire/`.length).split('/')[0])) {
        yield {
          line,
          text: `imports ${target.slice(src.length)}; a revision is imported only inside wire/, ask wire/index.ts`,
        };
      }
    }
  }
}

/** Rooms without code: ports/ holds types only, model/ types and constants. */
function* typesOnlyRule(file) {
  if (file.test || (file.room !== 'ports' && file.room !== 'model')) return;
  const typeStatement = (node) =>
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly) ||
    (ts.isExportDeclaration(node) && (node.isTypeOnly || (file.room === 'model' && node.moduleSpecifier)));
  const constant = (node) => {
    if (file.room !== 'model' || !ts.isVariableStatement(node) || !(node.declarationList.flags & ts.NodeFlags.Const))
      return false;
    let plain = true;
    walk(node, (inner) => {
      if (ts.isFunctionLike(inner) && !ts.isTypeNode(inner)) plain = false;
      if (ts.isClassExpression(inner) || ts.isAwaitExpression(inner)) plain = false;
      if (ts.isCallExpression(inner) && inner.expression.getText() !== 'Object.freeze') plain = false;
    });
    return plain;
  };
  const valueImport = (node) => file.room === 'model' && ts.isImportDeclaration(node) && node.importClause;
  const allowed =
    file.room === 'ports'
      ? 'ports/ holds types only (import type, export type)'
      : 'model/ holds types and constants only';
  for (const node of file.tree.statements) {
    if (!typeStatement(node) && !constant(node) && !valueImport(node))
      yield { line: file.lineOf(node), text: `has code here; ${allowed}` };
  }
}

const nodeGlobals = new Set(['process', 'Buffer', 'setImmediate', 'require', '__dirname', 'global']);

/** Node's modules, undici and Node's globals. */
function* nodeRule(file, uses) {
  if (matches(nodeFiles, file.path)) return;
  for (const { specifier, line } of file.imports) {
    if (isBuiltin(specifier) || /^undici($|\/)/.test(specifier)) {
      yield { line, text: `imports '${specifier}'; Node's modules and undici are allowed only in ${nodePlaces}` };
    }
  }
  for (const { name, line } of uses) {
    if (nodeGlobals.has(name)) yield { line, text: `uses ${name}; Node's globals are allowed only in ${nodePlaces}` };
  }
}

/** Revisions by name. */
function* versionRule(file) {
  if (file.test || file.room === 'wire' || file.path === `${src}model/types.ts`) return;
  const found = [];
  walk(file.tree, (node) => {
    if (ts.isStringLiteralLike(node) && revisions.includes(node.text) && !ts.isLiteralTypeNode(node.parent))
      found.push(node);
  });
  for (const node of found) {
    yield {
      line: file.lineOf(node),
      text: `names the revision '${node.text}'; revisions are named only in wire/, ask wire (has, facts)`,
    };
  }
}

const timeAndChance = new Set([
  'Date.now',
  'performance.now',
  'setTimeout',
  'setInterval',
  'Math.random',
  'AbortSignal.timeout',
  'randomUUID',
  'crypto.randomUUID',
]);

/** A command line measures and waits in real time. */
const cliClock = new Set(['setTimeout', 'performance.now']);

/** Time and chance come from the clock. */
function* clockRule(file, uses) {
  if (matches(clockFiles, file.path)) return;
  const cli = !inHawser(file);
  const found = [];
  for (const { name, line, node } of uses) {
    if (timeAndChance.has(name) && !(cli && cliClock.has(name))) found.push({ name, line });
    const { parent } = node;
    if (name === 'Date' && ts.isNewExpression(parent) && parent.expression === node && !parent.arguments?.length)
      found.push({ name: 'new Date()', line });
    if (name === 'Date' && ts.isCallExpression(parent) && parent.expression === node)
      found.push({ name: 'Date()', line });
  }
  walk(file.tree, (node) => {
    if (ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'randomUUID')
      found.push({ name: 'randomUUID', line: file.lineOf(node) });
  });
  for (const { specifier, line } of file.imports) {
    if (/^(node:)?timers($|\/)/.test(specifier)) found.push({ name: `'${specifier}'`, line });
  }
  for (const { name, line } of found)
    yield { line, text: `uses ${name}; time and random values come from a Clock, only base/clock.ts makes them` };
}

/** Named exports, listed by hand. */
function* exportRule(file) {
  for (const node of file.tree.statements) {
    const isDefault =
      ts.isExportAssignment(node) || node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    const named =
      ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)
        ? node.exportClause.elements
        : [];
    if (isDefault || named.some(({ name }) => name.text === 'default')) {
      yield { line: file.lineOf(node), text: 'has a default export; exports are named (configuration files excepted)' };
    }
    const all =
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      !(node.exportClause && ts.isNamedExports(node.exportClause));
    if (all && !/\/index(\.node)?\.ts$/.test(file.path)) {
      yield { line: file.lineOf(node), text: "has 'export *'; it is allowed only in an index.ts" };
    }
  }
}

function* sizeRule(file) {
  if (file.lines > maxLines)
    yield { line: file.lines, text: `has ${file.lines} lines; at most ${maxLines} are allowed` };
}

/** Output goes through a Logger. */
function* consoleRule(file, uses) {
  if (!inHawser(file)) return;
  for (const { name, line } of uses) {
    if (name.startsWith('console.')) yield { line, text: `uses ${name}; the library writes through a Logger only` };
  }
}

const rules = [roomRule, typesOnlyRule, nodeRule, versionRule, clockRule, exportRule, sizeRule, consoleRule];

/** All problems of one file. */
export function fileProblems(file) {
  const uses = globalUses(file);
  return rules.flatMap((rule) => [...rule(file, uses)].map((problem) => ({ path: file.path, ...problem })));
}
