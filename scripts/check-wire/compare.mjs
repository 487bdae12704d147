// Compares a definition of the schema with our type, member by member, as deep as they go.

/** One difference: where it is, which kind it is, and what each side says. */
function difference(path, kind, schema, type) {
  return { path, kind, schema, type };
}

export class Comparison {
  #schemas;
  #types;
  #open = new Set();
  #numbers = new Map();

  constructor(schemas, types) {
    this.#schemas = schemas;
    this.#types = types;
  }

  /** All differences of one definition. */
  definition(name) {
    const type = this.#types.exported(name);
    if (!type) return [difference('', 'missing type', 'defined', 'missing')];
    return this.#shapes(this.#schemas.definition(name), type, '');
  }

  #nodes(node, type, path) {
    return this.#compared(this.#schemas.reference(node), type) ? [] : this.#shapes(node, type, path);
  }

  // A definition that stands in its place under its own name is compared on its own account.
  #compared(reference, type) {
    const exported = reference === undefined ? undefined : this.#types.exported(reference);
    return exported !== undefined && type !== undefined && this.#types.key(exported) === this.#types.key(type);
  }

  #shapes(node, type, path) {
    // A pair that is being compared further up counts as equal: whatever differs is found there.
    const key = `${this.#number(node)}:${this.#types.key(type)}`;
    if (this.#open.has(key)) return [];
    this.#open.add(key);
    try {
      const left = this.#schemas.shapes(node);
      const right = this.#types.shapes(type);
      if (left.length === 1 && right.length === 1) return this.#pair(left[0], right[0], path);
      return this.#unions(left, right, path);
    } finally {
      this.#open.delete(key);
    }
  }

  #number(node) {
    if (!this.#numbers.has(node)) this.#numbers.set(node, this.#numbers.size);
    return this.#numbers.get(node);
  }

  #pair(left, right, path) {
    if (this.#compared(left.reference, right.node)) return [];
    if (left.kind !== right.kind) return [difference(path, 'kind', left.text, right.text)];
    if (left.kind === 'literal' && left.value !== right.value) {
      return [difference(path, 'literal', left.text, right.text)];
    }
    if (left.kind === 'array') return this.#nodes(left.item, right.item, `${path}[]`);
    return left.kind === 'object' ? this.#objects(left, right, path) : [];
  }

  #objects(left, right, path) {
    const found = [];
    for (const [name, ours] of right.members) {
      if (!left.members.has(name)) {
        found.push(difference(`${path}.${name}`, 'extra property', 'absent', this.#types.text(ours.node)));
      }
    }
    for (const [name, theirs] of left.members) {
      const at = `${path}.${name}`;
      const ours = right.members.get(name);
      if (!ours) {
        found.push(difference(at, 'missing property', this.#schemas.text(theirs.node), 'absent'));
        continue;
      }
      if (theirs.optional !== ours.optional) {
        found.push(difference(at, 'optional', word(theirs.optional), word(ours.optional)));
      }
      found.push(...this.#nodes(theirs.node, ours.node, at));
    }
    return [...found, ...this.#indexes(left.index, right.index, `${path}[key]`)];
  }

  // Objects are open where the schema is silent, so there a type may leave out `[key: string]: unknown` or say it.
  #indexes(left, right, path) {
    if (left !== undefined && right !== undefined) return this.#nodes(left, right, path);
    if (left !== undefined) return [difference(path, 'missing index', this.#schemas.text(left), 'absent')];
    if (right === undefined || this.#types.shapes(right)[0]?.kind === 'any') return [];
    return [difference(path, 'extra index', 'absent', this.#types.text(right))];
  }

  // Each member needs its equal on the other side. Of the rest, those that look most alike are compared in detail.
  #unions(left, right, path) {
    const pairs = left.flatMap((a) => right.map((b) => ({ a, b, found: this.#pair(a, b, `${path}<${b.text}>`) })));
    const equal = pairs.filter((pair) => pair.found.length === 0);
    const lonely = new Set([...left, ...right]);
    for (const { a, b } of equal) {
      lonely.delete(a);
      lonely.delete(b);
    }
    const found = [];
    const alike = pairs.filter((pair) => related(pair.a, pair.b)).sort((x, y) => x.found.length - y.found.length);
    for (const pair of alike) {
      if (!lonely.has(pair.a) || !lonely.has(pair.b)) continue;
      lonely.delete(pair.a);
      lonely.delete(pair.b);
      found.push(...pair.found);
    }
    for (const a of left) if (lonely.has(a)) found.push(difference(path, 'missing member', a.text, 'absent'));
    for (const b of right) if (lonely.has(b)) found.push(difference(path, 'extra member', 'absent', b.text));
    return found;
  }
}

function related(a, b) {
  if (a.kind !== b.kind) return false;
  return a.kind === 'array' || (a.kind === 'object' && (a.reference ?? a.text) === b.text);
}

function word(optional) {
  return optional ? 'optional' : 'required';
}
