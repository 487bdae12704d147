/** One check of all rules of a schema, with as little as possible between them. */
import type { Check, Kind, Rule } from './rule.ts';

const always: Check = () => true;

/** All checks, one after the other. */
function both(checks: readonly Check[]): Check {
  const [first, second, third] = checks;
  if (first === undefined) return always;
  if (second === undefined) return first;
  if (third === undefined) return (value, run) => first(value, run) && second(value, run);
  return (value, run) => {
    for (const check of checks) if (!check(value, run)) return false;
    return true;
  };
}

export function assemble(rules: readonly Rule[]): Check {
  const on = (kind: Kind): Check =>
    both(rules.flatMap((rule) => (rule.on === kind && rule.fast !== 'elsewhere' ? [rule.fast ?? rule.check] : [])));
  const [any, object, array, string, number] = [on('any'), on('object'), on('array'), on('string'), on('number')];
  if (rules.every((rule) => rule.on === 'any')) return any;
  const typed = typedOnly(rules, { object, array, string, number });
  if (typed !== undefined) return typed;
  return (value, run) => {
    if (--run.left < 0) run.out();
    if (!any(value, run)) return false;
    switch (typeof value) {
      case 'string':
        return string(value, run);
      case 'number':
        return number(value, run);
      case 'object':
        if (value === null) return true;
        return Array.isArray(value) ? array(value, run) : object(value, run);
      default:
        return true;
    }
  };
}

type ByKind = Record<'object' | 'array' | 'string' | 'number', Check>;

/** For the usual schema: one type, and only keywords for values of that type. */
function typedOnly(rules: readonly Rule[], { object, array, string, number }: ByKind): Check | undefined {
  const [first, ...others] = rules;
  if (first?.keyword !== 'type' || others.some((rule) => rule.on === 'any')) return undefined;
  switch (first.type) {
    case 'object':
      return (value, run) => typeof value === 'object' && value !== null && !Array.isArray(value) && object(value, run);
    case 'array':
      return (value, run) => Array.isArray(value) && array(value, run);
    case 'string':
      return (value, run) => typeof value === 'string' && string(value, run);
    case 'number':
      return (value, run) => typeof value === 'number' && number(value, run);
    case 'integer':
      return (value, run) => Number.isInteger(value) && number(value, run);
    default:
      return undefined;
  }
}
