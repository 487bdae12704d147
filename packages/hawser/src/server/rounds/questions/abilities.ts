/** What can be asked of a caller. */
import { CapabilityError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import { errorCodes } from '../../../model/meta.ts';
import type { ClientCapabilities } from '../../../model/types.ts';
import type { Exchange, Reply } from '../../../ports/index.ts';
import { wireOf, type Wire } from '../../../wire/index.ts';

/** A form for a person, a page for a person, the client's model, the same with tools, the client's roots. */
export type Ability = 'elicit' | 'elicit-url' | 'sample' | 'sample-tools' | 'roots';

interface Rule {
  readonly words: string;
  /** What a client has to declare for it. */
  readonly required: ClientCapabilities;
  /** Whether the revision has it at all. */
  known(wire: Wire): boolean;
  declared(capabilities: ClientCapabilities): boolean;
}

const rules: Readonly<Record<Ability, Rule>> = {
  elicit: {
    words: 'forms for a person (elicitation)',
    required: { elicitation: { form: {} } },
    known: ({ facts }) => facts.elicits !== 'nothing',
    // Nothing said of modes means forms.
    declared: ({ elicitation }) => isObject(elicitation) && (isObject(elicitation['form']) || !('url' in elicitation)),
  },
  'elicit-url': {
    words: 'pages for a person (elicitation.url)',
    required: { elicitation: { url: {} } },
    known: ({ facts }) => facts.elicits === 'forms-and-urls',
    declared: ({ elicitation }) => isObject(elicitation) && isObject(elicitation['url']),
  },
  sample: {
    words: 'its model (sampling)',
    required: { sampling: {} },
    known: (wire) => wire.asks('sampling/createMessage'),
    declared: ({ sampling }) => isObject(sampling),
  },
  'sample-tools': {
    words: 'its model with tools (sampling.tools)',
    required: { sampling: { tools: {} } },
    known: ({ facts }) => facts.samplesTools,
    declared: ({ sampling }) => isObject(sampling) && isObject(sampling['tools']),
  },
  roots: {
    words: 'its roots (roots)',
    required: { roots: {} },
    known: (wire) => wire.asks('roots/list'),
    declared: ({ roots }) => isObject(roots),
  },
};

/** Whether the caller can be asked that: the revision has it, it was declared, and there is a way to ask. */
export function can(exchange: Exchange, what: Ability): boolean {
  return Object.hasOwn(rules, what) && lack(exchange, what) === undefined;
}

const noWay =
  "there is no way to ask: legacy callers are served without sessions here (legacy: 'stateless', or fetch), or it takes no stream (Accept)";

/** Why the caller cannot be asked that. */
function lack({ caller, ask }: Exchange, what: Ability): string | undefined {
  const wire = wireOf(caller.revision);
  const rule = rules[what];
  if (!rule.known(wire)) return `revision ${wire.revision} does not have it`;
  // First, since without a session nobody knows what was declared.
  if (wire.facts.asks === 'request' && ask === undefined) return noWay;
  return rule.declared(caller.capabilities) ? undefined : 'it did not declare it';
}

/** A caller that cannot be asked; what it would have had to declare is kept for the answer to it. */
export class CannotAskError extends CapabilityError {
  /** For the `data` of -32021. */
  readonly requiredCapabilities: ClientCapabilities;

  constructor(what: Ability, why: string) {
    super(`the caller cannot be asked for ${rules[what].words}: ${why}`);
    this.name = 'CapabilityError';
    this.requiredCapabilities = rules[what].required;
  }
}

/** @throws CapabilityError when the caller cannot be asked that */
export function demand(exchange: Exchange, what: Ability): void {
  const why = lack(exchange, what);
  if (why !== undefined) throw new CannotAskError(what, why);
}

/** How a modern caller is told that it cannot be asked for what its request needs (basic/index "Error codes"). */
export function cannotAsk({ message, requiredCapabilities }: CannotAskError): Reply {
  return {
    error: { code: errorCodes.missingClientCapability, message, data: { requiredCapabilities } },
    status: 400,
  };
}
