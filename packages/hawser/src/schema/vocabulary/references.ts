/** `$ref`, `$dynamicRef`, `$recursiveRef` (2020-12 core 8.2.3, 2019-09 core 8.2.4). */
import type { Node, Resource, SchemaDocument } from '../document.ts';
import { isSchema } from '../meta-schema.ts';
import type { Compiling, Mode, Part, Rule } from '../rule.ts';
import type { Run } from '../run.ts';

/** What references ask of the compiler: parts of the whole document. */
export interface Referring extends Compiling {
  readonly document: SchemaDocument;
  partOf(node: Node, mode: Mode): Part;
  /** What each resource has for a dynamic anchor. */
  anchored(name: string, mode: Mode): ReadonlyMap<Resource, Part>;
}

export function referenceRules(compiling: Referring): Rule[] {
  const { node, mode, document, partOf, anchored } = compiling;
  return [...node.references].map(([keyword, target]): Rule => {
    if ('metaSchema' in target) {
      const dialect = target.metaSchema;
      return {
        keyword,
        on: 'any',
        check: (value, run) => isSchema(value, dialect, run),
        say: () => `must be a JSON Schema of ${dialect.name}`,
      };
    }
    const to = partOf(target.node, mode);
    if (!document.isDynamic) return referenceRule(keyword, node, () => to, enterPart);
    if (target.dynamic === undefined) return referenceRule(keyword, node, () => to, enterResource);
    const candidates = anchored(target.dynamic, mode);
    return referenceRule(keyword, node, (run) => outermost(candidates, run) ?? to, enterResource);
  });
}

/** What the first resource that was entered has for a dynamic anchor. */
function outermost(candidates: ReadonlyMap<Resource, Part>, run: Run): Part | undefined {
  run.spend(run.scope.length);
  for (const resource of run.scope) {
    const part = candidates.get(resource);
    if (part !== undefined) return part;
  }
  return undefined;
}

type Enter = (part: Part, value: unknown, run: Run) => boolean;

const enterPart: Enter = (part, value, run) => part.check(value, run);

const enterResource: Enter = (part, value, run) => run.within(part.node.resource, part.check, value);

function referenceRule(keyword: string, { depth }: Node, choose: (run: Run) => Part, enter: Enter): Rule {
  return {
    keyword,
    on: 'any',
    check(value, run) {
      run.spend(1);
      const part = choose(run);
      // Levels between two references are not counted one by one: this is how many there were since the last one.
      const levels = depth + 1 - part.node.depth;
      run.deeper(levels);
      const fits = enter(part, value, run);
      run.nesting -= levels;
      return fits;
    },
    say: () => `must fit the schema that ${keyword} leads to`,
    into(value, report, spot) {
      const { run } = report;
      const part = choose(run);
      const levels = depth + 1 - part.node.depth;
      run.deeper(levels);
      report.visit(part, value, spot);
      run.nesting -= levels;
    },
  };
}
