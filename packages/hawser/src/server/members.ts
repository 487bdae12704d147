import { ArgumentError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';

/** What a member is called elsewhere, and what it is here. */
const instead: Readonly<Record<string, string>> = {
  ...named('input', 'inputSchema', 'parameters', 'params', 'paramsSchema', 'args', 'argsSchema', 'arguments', 'schema'),
  ...named('output', 'outputSchema', 'result', 'returns'),
  ...named('annotations', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint', 'hints'),
  ...named('_meta', 'meta'),
  ...named('description', 'desc'),
};

const handlers = ['handler', 'execute', 'run', 'callback', 'cb', 'read', 'load'];

function named(here: string, ...elsewhere: readonly string[]): Record<string, string> {
  return Object.fromEntries(elsewhere.map((name) => [name, here]));
}

/**
 * Refuses a definition with a member that there is not: without types a misspelt `input` would be a tool without
 * arguments.
 *
 * @param own what is given besides the definition and may be repeated in it
 * @throws ArgumentError
 */
export function checkMembers(what: string, definition: JsonObject, members: readonly string[], own: JsonObject): void {
  for (const [name, value] of Object.entries(definition)) {
    if (value === undefined || members.includes(name) || (Object.hasOwn(own, name) && own[name] === value)) continue;
    const meant = members.find((member) => member.toLowerCase() === name.toLowerCase()) ?? ownOf(instead, name);
    const hint =
      meant !== undefined && members.includes(meant)
        ? `did you mean "${meant}"?`
        : handlers.includes(name)
          ? 'the handler is the third argument'
          : Object.hasOwn(own, name)
            ? `the ${name} is the first argument, and differs`
            : `there are ${members.join(', ')}`;
    throw new ArgumentError(`${what}: a definition has no member "${sample(name, 100)}": ${hint}`);
  }
}

function ownOf(record: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
