/**
 * Keywords that are not evaluated: `format` unless formats are asserted, and `contentSchema`. A schema that depends on
 * one has three outcomes: it fits, it does not, or nobody knows. Not knowing never counts as a match that makes a value
 * invalid (in `not`, `oneOf`, `if`, `contains`), nor as a mismatch.
 */
import type { Node, SchemaDocument } from './document.ts';
import type { FormatOf } from './formats/port.ts';
import { isOnlyReference } from './keywords.ts';

/** Keywords of this schema that are not evaluated. */
export function notEvaluated({ schema, resource: { dialect } }: Node, formatOf: FormatOf): string[] {
  if (typeof schema === 'boolean' || isOnlyReference(schema, dialect)) return [];
  const { format, contentSchema } = schema;
  const found: string[] = [];
  if (format !== undefined && formatOf(format, dialect) === undefined) found.push('format');
  if (contentSchema !== undefined && dialect.vocabularies) found.push('contentSchema');
  return found;
}

/** The subschemas whose outcome may be unknown, and the keywords to blame. */
export function partialNodes(
  document: SchemaDocument,
  formatOf: FormatOf,
): { nodes: ReadonlySet<Node>; keywords: string[] } {
  const keywords = new Set<string>();
  for (const node of document.nodes) for (const keyword of notEvaluated(node, formatOf)) keywords.add(keyword);
  const nodes = new Set<Node>();
  if (keywords.size > 0) {
    for (const node of document.nodes) {
      // What a reference leads to is not looked into: then it may be so.
      if (node.references.size === 0 && notEvaluated(node, formatOf).length === 0) continue;
      for (let at: Node | undefined = node; at !== undefined && !nodes.has(at); at = at.parent) nodes.add(at);
    }
  }
  return { nodes, keywords: [...keywords].toSorted() };
}
