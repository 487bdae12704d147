import { ArgumentError } from '../base/errors.ts';
import { expandParts, type TemplateValue } from './uri-template-expand.ts';
import { Matcher } from './uri-template-match.ts';
import { parseTemplate, type Part } from './uri-template-parse.ts';
import type { Meter } from './uri-template-walk.ts';

/**
 * A URI template: RFC 6570, levels 1 to 4. It is filled in, and it takes URIs apart. A template may have 10,000
 * characters and 100 variables.
 *
 * ```ts
 * const template = new UriTemplate('repo://{owner}/{name}/files{/path*}')
 * template.expand({ owner: 'a', name: 'b', path: ['src', 'x.ts'] })   // repo://a/b/files/src/x.ts
 * template.match('repo://a/b/files/src/x.ts')                         // { owner: 'a', name: 'b', path: 'src/x.ts' }
 * ```
 */
export class UriTemplate {
  readonly #text: string;
  readonly #parts: readonly Part[];
  readonly #variables: readonly string[];
  #matcher: Matcher | undefined;

  /** @throws ArgumentError when it is no template */
  constructor(template: string) {
    this.#text = template;
    this.#parts = parseTemplate(template);
    const names = this.#parts.flatMap((part) =>
      typeof part === 'string' ? [] : part.variables.map(({ name }) => name),
    );
    this.#variables = [...new Set(names)];
  }

  /** The names of the variables, in order. */
  get variables(): readonly string[] {
    return this.#variables;
  }

  /** The URI with these values; variables without a value are left out. */
  expand(values: Readonly<Record<string, TemplateValue>>): string {
    for (const [name, value] of Object.entries(values)) {
      const items: unknown[] = typeof value === 'object' ? Object.values(value) : [value ?? ''];
      if (!items.every((item) => typeof item === 'string'))
        throw new ArgumentError(`the value of "${name}" is a string, a list or a map of strings`);
    }
    return expandParts(this.#parts, values);
  }

  /**
   * The values that make this URI, percent-decoded; undefined when it is of another kind, or longer than 65,536
   * characters, encoded. They are what a stranger wrote: `{id}` may come out as `../x`, encoded in the URI.
   *
   * - `{x}` takes a character or more, none of them `/`, `?` or `#`; `{+x}` takes anything.
   * - `{/x}`, `{.x}`, `{;x}`, `{#x}`, `{?x}` and `{&x}` may be absent as a whole.
   * - Where a URI can be read in several ways, the first variables take as much as they can: `{name}.{ext}` reads
   *   `a.tar.gz` as `a.tar` and `gz`.
   * - Parameters of a query may come in any order; one that the template does not name matches nothing.
   * - The text between is compared as it stands in a URI: `ü` in the template or the URI is `%C3%BC`.
   * - A list (`{/x*}`) is one string, its items joined by `/` or `.` where these separate them, else by `,`.
   *
   * @throws ArgumentError when the values cannot be told apart: nothing between two variables (`{a}{b}`), a variable
   *   twice, a part of a value (`{x:3}`), a list in `{;x*}`, or something other than a fragment after a query
   */
  match(uri: string, meter?: Meter): Record<string, string> | undefined {
    return this.matcher.match(uri, meter);
  }

  /** @internal Made on first use: a template may also be there to be filled in only. */
  get matcher(): Matcher {
    return (this.#matcher ??= new Matcher(this.#text, this.#parts));
  }

  toString(): string {
    return this.#text;
  }
}
