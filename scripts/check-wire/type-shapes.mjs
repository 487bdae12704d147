// Reads TypeScript types as shapes; schema-shapes.mjs says what a shape is. A node is a ts.Type here.

import ts from 'typescript';
import { objectText } from './schema-shapes.mjs';

const { TypeFlags } = ts;

export class Types {
  #checker;
  #exports = new Map();
  #numbers = new Map();

  constructor(checker, sourceFile) {
    this.#checker = checker;
    const module = checker.getSymbolAtLocation(sourceFile);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      this.#exports.set(symbol.name, checker.getDeclaredTypeOfSymbol(target));
    }
  }

  get names() {
    return [...this.#exports.keys()];
  }

  exported(name) {
    return this.#exports.get(name);
  }

  /** Names a type; two types with the same members have the same key. */
  key(type) {
    return this.#members(type)
      .map((member) => {
        if (!this.#numbers.has(member)) this.#numbers.set(member, this.#numbers.size);
        return this.#numbers.get(member);
      })
      .sort((a, b) => a - b)
      .join();
  }

  /** The shapes that a type allows; several for a union. */
  shapes(type) {
    const members = this.#members(type);
    const flags = members.filter((member) => member.flags & TypeFlags.BooleanLiteral);
    const rest = flags.length === 2 ? members.filter((member) => !flags.includes(member)) : members;
    const shapes = rest.map((member) => ({ node: member, ...this.#shape(member) }));
    if (flags.length === 2) shapes.push({ kind: 'boolean', text: 'boolean' });
    return shapes;
  }

  text(type) {
    return this.#members(type)
      .map((member) => this.#checker.typeToString(member))
      .join(' | ');
  }

  // An optional property's type has a mark for "absent", which is not the type `undefined`.
  #members(type) {
    const members = type.isUnion() ? type.types : [type];
    return members.filter((m) => !(m.flags & TypeFlags.Undefined) || m === this.#checker.getUndefinedType());
  }

  #shape(type) {
    const checker = this.#checker;
    const text = checker.typeToString(type);
    if (type.flags & (TypeFlags.Unknown | TypeFlags.Any)) return { kind: 'any', text };
    if (type.flags & TypeFlags.String) return { kind: 'string', text };
    if (type.flags & TypeFlags.Number) return { kind: 'number', text };
    if (type.flags & TypeFlags.Null) return { kind: 'null', text };
    if (type.flags & TypeFlags.BooleanLiteral) return { kind: 'literal', value: text === 'true', text };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value, text };
    if (checker.isArrayType(type)) return { kind: 'array', item: checker.getTypeArguments(type)[0], text };
    if (checker.isTupleType(type) || type.getCallSignatures().length > 0) return { kind: text, text };
    if (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) return this.#object(type, text);
    return { kind: text, text };
  }

  #object(type, name) {
    const members = new Map();
    for (const symbol of this.#checker.getPropertiesOfType(type)) {
      const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
      members.set(symbol.name, { optional, node: this.#checker.getTypeOfSymbol(symbol) });
    }
    const index = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
    // `{}` is not an object type: strings are assignable to it.
    if (members.size === 0 && !index) return { kind: '{}', text: name };
    const text = /^\w+$/.test(name) ? name : objectText(members, index !== undefined);
    return { kind: 'object', members, index, text };
  }
}
