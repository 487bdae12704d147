// Finds uses of global names, leaving out names that a file declares itself.
import ts from 'typescript';
import { walk } from './source.mjs';

const globalObjects = new Set(['globalThis', 'window', 'self']);

function isScope(node) {
  return (
    ts.isSourceFile(node) ||
    ts.isBlock(node) ||
    ts.isFunctionLike(node) ||
    ts.isForStatement(node) ||
    ts.isForOfStatement(node)
  );
}

function scopeOf(node) {
  let scope = node.parent;
  while (scope && !isScope(scope)) scope = scope.parent;
  return scope;
}

/** Name → the scopes that declare it. */
function declarations(tree) {
  const declared = new Map();
  walk(tree, (node) => {
    const named =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isNamespaceImport(node);
    if (!named || !node.name || !ts.isIdentifier(node.name)) return;
    declared.set(node.name.text, [...(declared.get(node.name.text) ?? []), scopeOf(node)]);
  });
  return declared;
}

/** Whether an identifier stands for a value or type by itself, not as the name of a member, label or declaration. */
function isReference(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  return parent.name !== node && parent.label !== node && parent.propertyName !== node && parent.parameterName !== node;
}

function inTypeQuery(node) {
  return ts.isTypeQueryNode(node.parent) || (ts.isQualifiedName(node.parent) && ts.isTypeQueryNode(node.parent.parent));
}

/**
 * All uses of globals, each as `{ name, line, node }`: `setTimeout` and `globalThis.setTimeout` both give `setTimeout`,
 * a member of a global gives both (`Date` and `Date.now`). `typeof setTimeout` in a type is no use.
 */
export function globalUses(file) {
  const declared = declarations(file.tree);
  const shadowed = (node) => {
    const scopes = declared.get(node.text) ?? [];
    for (let at = node.parent; at; at = at.parent) if (scopes.includes(at)) return true;
    return false;
  };
  const uses = [];
  const add = (name, node) => uses.push({ name, node, line: file.lineOf(node) });
  walk(file.tree, (node) => {
    if (!ts.isIdentifier(node) || !isReference(node) || inTypeQuery(node) || shadowed(node)) return;
    let [name, whole] = [node.text, node];
    if (globalObjects.has(name) && ts.isPropertyAccessExpression(node.parent))
      [name, whole] = [node.parent.name.text, node.parent];
    add(name, whole);
    if (ts.isPropertyAccessExpression(whole.parent) && whole.parent.expression === whole)
      add(`${name}.${whole.parent.name.text}`, whole.parent);
  });
  return uses;
}
