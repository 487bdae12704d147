/**
 * Keywords that are not evaluated: `format` unless formats are asserted, and `contentSchema`. A schema that depends on
 * one has three outcomes: it fits, it does not, or nobody knows. Not knowing never counts as a match that makes a value
 * invalid (in `not`, `oneOf`, `if`, `contains`), nor as a mismatch.
 */
import type { Node, SchemaDocument } from './document.ts';

/** Whether a keyword of this schema is not evaluated, and which. */
export function notEvaluated({ schema, resource }: Node, asserts: (format: string) => boolean): string[] {
  if (typeof schema === 'boolean') return [];
  const { format, contentSchema } = schema;
  const { dialect } = resource;
  if (!dialect.besideRef && typeof schema['$ref'] === 'string') return [];
  const found: string[] = [];
  if (typeof format === 'string' && !asserts(format)) found.push('format');
  if (contentSchema !== undefined && dialect.vocabularies) found.push('contentSchema');
  return found;
}

/** The subschemas whose outcome may be unknown, and the keywords to blame. */
export function partialNodes(
  document: SchemaDocument,
  asserts: (format: string) => boolean,
): { nodes: ReadonlySet<Node>; keywords: string[] } {
  const keywords = new Set<string>();
  const open: Node[] = [];
  for (const node of document.nodes) {
    const found = notEvaluated(node, asserts);
    if (found.length > 0) open.push(node);
    for (const keyword of found) keywords.add(keyword);
  }
  const nodes = new Set<Node>();
  if (open.length === 0) return { nodes, keywords: [] };
  const users = usersOf(document);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (nodes.has(node)) continue;
    nodes.add(node);
    if (node.parent !== undefined) open.push(node.parent);
    open.push(...(users.get(node) ?? []));
  }
  return { nodes, keywords: [...keywords].toSorted() };
}

/** Who refers to a subschema, or may do so dynamically. */
function usersOf(document: SchemaDocument): Map<Node, Node[]> {
  const users = new Map<Node, Node[]>();
  const dynamic = new Map<string, Node[]>();
  for (const node of document.nodes) {
    for (const target of node.references.values()) {
      if (!('node' in target)) continue;
      push(users, target.node, node);
      if (target.dynamic !== undefined) push(dynamic, target.dynamic, node);
    }
  }
  for (const [name, nodes] of dynamic) {
    for (const { dynamicAnchors } of document.resources.values()) {
      const target = dynamicAnchors.get(name);
      if (target !== undefined) users.set(target, [...(users.get(target) ?? []), ...nodes]);
    }
  }
  return users;
}

function push<Key>(map: Map<Key, Node[]>, key: Key, node: Node): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [node]);
  else list.push(node);
}
