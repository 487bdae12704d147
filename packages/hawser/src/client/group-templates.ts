import { ArgumentError } from '../base/errors.ts';
import { sample, type Logger } from '../base/logger.ts';
import { UriTemplate } from '../core/uri-template.ts';

/** How many templates of one server are looked at. */
const maxTemplates = 1_000;
/** Longest template of a server, in characters, and most variables of it. */
const maxLength = 2_000;
const maxVariables = 16;
/** What one look through all templates of a server may cost, in characters looked at: some 50 ms. */
const maxSteps = 5_000_000;

/**
 * The templates that one server lists, made once and bounded: a server must not hold up what is looked for at all of
 * them. Those that are too many, too long or have too many variables are left out, with a warning.
 */
export class Templates {
  readonly #server: string;
  readonly #logger: Logger;
  readonly #templates: readonly UriTemplate[];

  constructor(server: string, texts: Iterable<string>, logger: Logger) {
    this.#server = sample(server, 100);
    this.#logger = logger;
    const all = [...texts];
    const read = all.slice(0, maxTemplates).map(templateOf);
    this.#templates = read.filter((template) => template instanceof UriTemplate);
    const excess = all.length - read.length + read.filter((template) => template === 'too large').length;
    if (excess > 0)
      logger.warn(
        `server "${this.#server}": ${excess} URI templates are left out: ${maxTemplates} are looked at, ` +
          `each of ${maxLength} characters and ${maxVariables} variables at most`,
      );
  }

  /** Whether one of them takes the URI. A search that costs too much is given up, and counts as a no. */
  take(uri: string): boolean {
    const meter = { steps: 0 };
    for (const template of this.#templates) {
      if (template.match(uri, meter) !== undefined) return true;
      if (meter.steps > maxSteps) {
        this.#logger.warn(
          `server "${this.#server}": its URI templates cost too much to look through for a URI of ` +
            `${uri.length} characters: it counts as not offering it`,
        );
        return false;
      }
    }
    return false;
  }
}

/** One that is none, or cannot be read backwards, takes no URI. */
function templateOf(text: string): UriTemplate | 'too large' | undefined {
  if (text.length > maxLength) return 'too large';
  try {
    const template = new UriTemplate(text);
    if (template.variables.length > maxVariables) return 'too large';
    // Made now: it is not to be found out with each URI that it cannot be.
    return template.matcher && template;
  } catch (error) {
    if (error instanceof ArgumentError) return undefined;
    throw error;
  }
}
