/** Who calls: a token to be known by, a secret to be told, and an ear for secrets of others. */

const anySecret = /secret-[0-9a-f]{16}/g;
const secretLength = 'secret-'.length + 16;

export class Caller {
  name;
  token;
  secret;
  /** How many bytes have been looked at. */
  heard = 0;
  /** What was somebody else's, and where it came. */
  foreign = [];

  constructor(name, random) {
    this.name = name;
    this.token = `token-${random.hex(24)}`;
    this.secret = `secret-${random.hex(16)}`;
  }

  /** The resource that only this one listens for. */
  get uri() {
    return `x://${this.secret}`;
  }

  /** A function that looks through everything that comes on one connection, in pieces. */
  ear(where) {
    let tail = '';
    return (chunk) => {
      this.heard += chunk.length;
      const text = tail + chunk;
      for (const [found] of text.matchAll(anySecret))
        if (found !== this.secret) this.foreign.push(`${where}: ${found}`);
      tail = text.slice(-secretLength + 1);
    };
  }
}
