import type { Readable, Writable } from 'node:stream';
import { CANCEL_SYMBOL, multiselect, password, select, text } from '@clack/prompts';
import type { Questions, TextQuestion } from './questions.ts';

/** Where questions are asked, and how to stop. */
export interface TerminalParts {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Called for Ctrl-C: while a question is asked the terminal hands it over as a key, not as a signal. */
  readonly interrupt: () => void;
}

const mostShown = 12;

/** Questions at a real terminal. */
export function terminalQuestions({ input, output, signal, interrupt }: TerminalParts): Questions {
  const common = { input, output, signal };
  const ask = async <T>(prompt: () => Promise<T | typeof CANCEL_SYMBOL>): Promise<T | undefined> => {
    signal.throwIfAborted();
    let stopped = false;
    const onKey = (_: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
      if (key?.ctrl === true && key.name === 'c') stopped = true;
    };
    input.on('keypress', onKey);
    try {
      const answer = await prompt();
      if (stopped) interrupt();
      signal.throwIfAborted();
      return answer === CANCEL_SYMBOL ? undefined : answer;
    } finally {
      input.off('keypress', onKey);
    }
  };
  return {
    say: (lines) => {
      output.write(`${lines}\n`);
    },
    text: ({ message, initial, example, check }) =>
      ask(() =>
        text({
          ...common,
          message,
          ...(initial === undefined ? {} : { initialValue: initial }),
          ...(example === undefined ? {} : { placeholder: example }),
          ...validated(check),
        }),
      ),
    secret: ({ message, check }) => ask(() => password({ ...common, message, ...validated(check) })),
    choose: async ({ message, choices, initial }) => {
      // By their place: the library treats values of different types differently.
      const at = choices.findIndex((choice) => choice.value === initial);
      const chosen = await ask(() =>
        select({
          ...common,
          message,
          options: choices.map(({ label }, value) => ({ value, label })),
          initialValue: Math.max(0, at),
          maxItems: mostShown,
          showInstructions: false,
        }),
      );
      return chosen === undefined ? undefined : choices[chosen]?.value;
    },
    chooseSome: async ({ message, choices, initial, check }) => {
      const valuesOf = (places: readonly number[]) =>
        choices.filter((_, place) => places.includes(place)).map((choice) => choice.value);
      let places = choices.flatMap((choice, place) => (initial?.includes(choice.value) === true ? [place] : []));
      let complaint = '';
      for (;;) {
        const chosen = await ask(() =>
          multiselect({
            ...common,
            message: `${message}${complaint}`,
            options: choices.map(({ label }, value) => ({ value, label })),
            initialValues: places,
            required: false,
            maxItems: mostShown,
          }),
        );
        if (chosen === undefined) return undefined;
        places = chosen;
        const problem = check?.(valuesOf(places));
        if (problem === undefined) return valuesOf(places);
        complaint = ` (${problem})`;
      }
    },
  };
}

function validated(check: TextQuestion['check']) {
  return check === undefined ? {} : { validate: (value: string | undefined) => check(value ?? '') };
}
