import { sample } from '../base/logger.ts';

/** Where the values of placeholders come from. */
export interface Sources {
  /** For `${NAME}` and `${env:NAME}`; on Node `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** For `${input:id}`: what a person answered. */
  readonly inputs?: Readonly<Record<string, string>> | ((id: string) => string | undefined) | undefined;
  /** For `${workspaceFolder}`. */
  readonly workspaceFolder?: string | undefined;
  /** For `${userHome}`. */
  readonly home?: string | undefined;
}

/** One way through, and no backtracking: what is between the braces is judged afterwards. */
const placeholder = /(\$?)\$\{([^{}]*)(\}?)/g;
const variable = /^(?:env:)?([^\s{}:$]+?)(?::-(.*))?$/s;
const plainName = /^[A-Za-z_]\w*$/;

/**
 * A text with its placeholders replaced, once: values are not looked at again.
 *
 * | written | becomes |
 * |---|---|
 * | `${NAME}`, `${env:NAME}` | the variable; a problem when it is not set |
 * | `${NAME:-text}` | the variable, or the text when it is not set or empty |
 * | `${input:id}` | what was answered; a problem without an answer |
 * | `${workspaceFolder}`, `${userHome}` | these folders |
 * | `$${` | `${`, as it is |
 *
 * @param problem is told what a placeholder lacks; names only, never values
 */
export function expand(text: string, sources: Sources, problem: (text: string) => void): string {
  return text.replace(placeholder, (whole, escape: string, inner: string, close: string) => {
    if (escape !== '') return whole.slice(1);
    const found = close === '' ? { lacks: 'has a ${ without a }' } : lookUp(inner, sources);
    if (typeof found === 'string') return found;
    problem(found.lacks);
    return '';
  });
}

function lookUp(inner: string, sources: Sources): string | { lacks: string } {
  if (inner === 'workspaceFolder') return sources.workspaceFolder ?? { lacks: 'needs the workspace folder' };
  if (inner === 'userHome') return sources.home ?? { lacks: 'needs the home folder' };
  if (inner.startsWith('input:')) return answerOf(inner.slice('input:'.length), sources);
  const [, name, fallback] = variable.exec(inner) ?? [];
  if (name === undefined || (!inner.startsWith('env:') && !plainName.test(name)))
    return { lacks: 'has a placeholder that cannot be read' };
  const value = ownOf(sources.env, name);
  if (fallback !== undefined && (value === undefined || value === '')) return fallback;
  return value ?? { lacks: `needs the variable ${name}, which is not set` };
}

function answerOf(id: string, { inputs }: Sources): string | { lacks: string } {
  const value = typeof inputs === 'function' ? inputs(id) : ownOf(inputs, id);
  return value ?? { lacks: `needs the input "${sample(id, 100)}", which has no answer` };
}

function ownOf(values: Readonly<Record<string, string | undefined>> | undefined, name: string): string | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}
