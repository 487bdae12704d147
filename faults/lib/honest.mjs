/** Callers who behave, all the time: whatever others do, they get every answer, whole, in order, and their own. */
import { messagesOf, Polite } from './polite.mjs';

export class Honest {
  /** What went wrong; the first few. */
  problems = [];
  calls = 0;
  lastChange = -1;
  #polite;
  #random;
  #session;
  #streams = [];
  #running = Promise.resolve();
  #stopped = true;
  #id = 0;

  constructor(caller, port, random) {
    this.caller = caller;
    this.#polite = new Polite(caller, port);
    this.#random = random;
  }

  /** Opens a session with its stream, and a modern subscription. */
  async begin() {
    const { requests } = this.#polite;
    this.#session = await this.#polite.session();
    this.#streams = [
      await this.#polite.stream(requests.get(this.#session), (chunk) => this.#heard(chunk)),
      await this.#polite.stream(requests.listen('listen'), (chunk) => this.#heard(chunk)),
    ];
    await this.#polite.send(requests.legacy(this.#session, 'resources/subscribe', { uri: this.caller.uri }));
  }

  #heard(chunk) {
    for (const [, number] of chunk.matchAll(/secret-[0-9a-f]{16}\/(\d+)"/g)) this.lastChange = Number(number);
  }

  #problem(text) {
    if (this.problems.length < 5) this.problems.push(`${this.caller.name}: ${text}`);
  }

  /** Goes on calling until `pause`. */
  resume() {
    this.#stopped = false;
    this.#running = this.#loop();
  }

  async #loop() {
    while (!this.#stopped) {
      try {
        await this.#call();
      } catch (error) {
        this.#problem(error.message);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Resolves when no call is under way. */
  async pause() {
    this.#stopped = true;
    await this.#running;
  }

  async #call() {
    const { requests } = this.#polite;
    const steps = this.#random.pick([0, 0, 5, 20]);
    const [name, args] = steps === 0 ? ['whoami', {}] : ['steps', { n: steps }];
    this.#id += 1;
    const asked =
      this.#random.below(2) === 0
        ? requests.legacyCall(this.#session, name, args, this.#id)
        : requests.modernCall(name, args, this.#id);
    const { status, text } = await this.#polite.send(asked);
    this.calls += 1;
    const what = `${name} ${steps}`;
    if (status !== 200) return this.#problem(`${what}: HTTP ${status} ${text.slice(0, 200)}`);
    const messages = messagesOf(text);
    const answers = messages.filter(({ id }) => id === this.#id);
    const said = answers[0]?.result?.content?.[0]?.text;
    if (answers.length !== 1 || said !== this.caller.secret) this.#problem(`${what}: answered ${text.slice(-200)}`);
    const told = messages
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => params.progress);
    const due = Array.from({ length: steps }, (_, n) => n + 1);
    if (told.join() !== due.join()) this.#problem(`${what}: told of steps ${told.join()}`);
  }

  /** How its two streams end; for a server that goes. */
  get over() {
    return Promise.all(this.#streams.map(({ over }) => over));
  }

  /** Takes its leave as one should. */
  async end() {
    await this.pause();
    for (const { close } of this.#streams) close();
    await this.#polite.send(this.#polite.requests.end(this.#session));
    this.close();
  }

  close() {
    this.#polite.close();
  }
}
