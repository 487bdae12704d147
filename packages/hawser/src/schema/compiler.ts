/** Turns the subschemas of a document into checks. */
import { sample } from '../base/logger.ts';
import { assemble } from './assemble.ts';
import type { Node, Resource, SchemaDocument } from './document.ts';
import { SchemaError } from './errors.ts';
import type { FormatOf } from './formats/port.ts';
import { isOnlyReference, knows } from './keywords.ts';
import { partialNodes } from './partial.ts';
import type { Patterns } from './patterns.ts';
import { modeOf, type Check, type Mode, type Part, type Rule } from './rule.ts';
import type { Run } from './run.ts';
import { arrayRules } from './vocabulary/arrays.ts';
import { combiningRules } from './vocabulary/combining.ts';
import { memberRules } from './vocabulary/members.ts';
import { objectRules } from './vocabulary/objects.ts';
import { referenceRules, type Referring } from './vocabulary/references.ts';
import { numberRules } from './vocabulary/numbers.ts';
import { stringRules } from './vocabulary/strings.ts';
import { unevaluatedRules } from './vocabulary/unevaluated.ts';
import { valueRules } from './vocabulary/values.ts';

/** Finds a pattern in a text, at its price. */
type Search = (text: string, run: Run) => boolean;

type Vocabulary = (compiling: Referring & { readonly formatOf: FormatOf }) => Rule[];

/**
 * The vocabularies, and what the names of their keywords have in common: most schemas need few of them. In the order in
 * which they are evaluated: what costs little first, what builds on all others last.
 */
const vocabularies: readonly (readonly [Vocabulary, RegExp])[] = [
  [valueRules, /type|enum|const/],
  [numberRules, /imum|multiple/i],
  [stringRules, /Length|pattern|format|content/],
  [memberRules, /roperties|propertyNames|required/],
  [objectRules, /Properties|depend/],
  [arrayRules, /tems|contains/],
  [referenceRules, /Ref|ref/],
  [combiningRules, /Of|not|if/],
  [unevaluatedRules, /unevaluated/],
];

export class Compiler {
  /** Keywords in the document that are not evaluated. */
  readonly notEvaluated: readonly string[];
  readonly #document: SchemaDocument;
  readonly #formatOf: FormatOf;
  readonly #partial: ReadonlySet<Node>;
  readonly #searches: ReadonlyMap<string, Search>;
  /** By node, one for each mode that is needed. */
  readonly #parts = new Map<Node, Map<Mode, Part>>();
  /** Parts of dynamic anchors, by name: there may be many, so they are made once. */
  readonly #anchors = new Map<string, Map<Mode, ReadonlyMap<Resource, Part>>>();
  /** Parts that references lead to: done one after the other, since a chain of references may be long. */
  readonly #open: Part[] = [];

  /** @throws SchemaError `pattern` */
  constructor(document: SchemaDocument, patterns: Patterns, formatOf: FormatOf) {
    this.#document = document;
    this.#formatOf = formatOf;
    const { nodes, keywords } = partialNodes(document, formatOf);
    this.#partial = nodes;
    this.notEvaluated = keywords;
    this.#searches = new Map([...document.patterns].map(([source, path]) => [source, search(source, path, patterns)]));
  }

  /** The document itself. */
  compile(): Part {
    const root = this.#reserve(this.#document.root, modeOf(false, false));
    for (let part = this.#open.pop(); part !== undefined; part = this.#open.pop()) this.#finish(part);
    return root;
  }

  #reserve(node: Node, wanted: Mode): Part {
    if (typeof node.schema === 'boolean') return constant(node);
    const mode = this.#partial.has(node) ? wanted : modeOf(wanted.tracks, false);
    let parts = this.#parts.get(node);
    if (parts === undefined) this.#parts.set(node, (parts = new Map<Mode, Part>()));
    const known = parts.get(mode);
    if (known !== undefined) return known;
    const part: Part = { node, mode, check: (value, run) => part.check(value, run), rules: undefined };
    parts.set(mode, part);
    this.#open.push(part);
    return part;
  }

  #anchored(name: string, mode: Mode): ReadonlyMap<Resource, Part> {
    const byMode = this.#anchors.get(name) ?? new Map<Mode, ReadonlyMap<Resource, Part>>();
    this.#anchors.set(name, byMode);
    const known = byMode.get(mode);
    if (known !== undefined) return known;
    const parts = new Map<Resource, Part>();
    for (const node of this.#document.dynamicAnchors.get(name) ?? [])
      parts.set(node.resource, this.#reserve(node, mode));
    byMode.set(mode, parts);
    return parts;
  }

  #finish(part: Part): void {
    if (part.rules !== undefined) return;
    // What refers back to it while it is made calls it through the part.
    part.rules = [];
    const rules = this.#rules(part.node, part.mode);
    part.rules = rules;
    part.check = this.#check(part, rules);
  }

  #rules(node: Node, mode: Mode): Rule[] {
    const { schema } = node;
    if (typeof schema === 'boolean') return [];
    const { dialect } = node.resource;
    const unevaluated = dialect.vocabularies && ('unevaluatedProperties' in schema || 'unevaluatedItems' in schema);
    const tracking = unevaluated ? modeOf(true, mode.sure) : mode;
    const compiling = {
      node,
      document: this.#document,
      mode: tracking,
      opposed: modeOf(tracking.tracks, !mode.sure),
      formatOf: this.#formatOf,
      get: (keyword: string) => (knows(dialect, keyword) ? schema[keyword] : undefined),
      part: (child: unknown, childMode: Mode) => {
        const part = this.#reserve(this.#document.nodeOf(child, node), childMode);
        this.#finish(part);
        return part;
      },
      partOf: (target: Node, targetMode: Mode) => this.#reserve(target, targetMode),
      anchored: (name: string, targetMode: Mode) => this.#anchored(name, targetMode),
      pattern: (source: string) => this.#searches.get(source) as Search,
    };
    if (isOnlyReference(schema, dialect)) return referenceRules(compiling);
    const names = Object.keys(schema).join();
    return vocabularies.flatMap(([rules, called]) => (called.test(names) ? rules(compiling) : []));
  }

  #check({ node, mode }: Part, rules: readonly Rule[]): Check {
    const all = assemble(rules);
    const isFramed = rules.some(({ keyword }) => keyword.startsWith('unevaluated'));
    const check = isFramed ? framed(all, mode.tracks) : all;
    const { resource } = node;
    if (!this.#document.isDynamic || resource.root !== node) return check;
    return (value, run) => run.within(resource, check, value);
  }
}

function constant(node: Node): Part {
  const { schema } = node;
  return { node, mode: modeOf(false, false), check: () => schema === true, rules: [] };
}

/** Keeps the marks of one value apart from those of the values around it. */
function framed(check: Check, tracks: boolean): Check {
  return (value, run) => {
    const { start } = run;
    const { length } = run.marks;
    run.start = length;
    const fits = check(value, run);
    run.start = start;
    if (!fits || !tracks) run.marks.length = length;
    return fits;
  };
}

function search(source: string, path: string, patterns: Patterns): Search {
  try {
    const pattern = patterns.compile(source);
    const { stepsPerCharacter } = pattern;
    return (text, run) => {
      run.spend(1 + Math.ceil((text.length + 1) * stepsPerCharacter));
      return pattern.test(text);
    };
  } catch (cause) {
    const why = cause instanceof Error ? sample(cause.message, 200) : '';
    throw new SchemaError('pattern', `must be a regular expression of ECMA-262: ${why}`, path, { cause });
  }
}
