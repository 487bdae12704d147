/** URI templates as text: RFC 6570, sections 2 and 3. */
import { ArgumentError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';

/** A variable within an expression. */
export interface Variable {
  readonly name: string;
  /** `{x*}`: a list or a map, item by item. */
  readonly explode: boolean;
  /** `{x:3}`: the first characters only. */
  readonly prefix: number | undefined;
}

/** What stands in braces. */
export interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** A template is text and expressions, in turn. */
export type Part = string | Expression;

/** How the values of an expression are written (RFC 6570, appendix A). */
interface Operator {
  readonly sign: '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';
  readonly first: string;
  readonly separator: string;
  /** Values come with the names of their variables. */
  readonly named: boolean;
  /** What follows the name of an empty value. */
  readonly ifEmpty: string;
  /** Reserved characters stay as they are. */
  readonly reserved: boolean;
}

const operators: readonly Operator[] = [
  { sign: '', first: '', separator: ',', named: false, ifEmpty: '', reserved: false },
  { sign: '+', first: '', separator: ',', named: false, ifEmpty: '', reserved: true },
  { sign: '#', first: '#', separator: ',', named: false, ifEmpty: '', reserved: true },
  { sign: '.', first: '.', separator: '.', named: false, ifEmpty: '', reserved: false },
  { sign: '/', first: '/', separator: '/', named: false, ifEmpty: '', reserved: false },
  { sign: ';', first: ';', separator: ';', named: true, ifEmpty: '', reserved: false },
  { sign: '?', first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  { sign: '&', first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
];
const plain = operators[0] as Operator;
const bySign: ReadonlyMap<string, Operator> = new Map(operators.map((operator) => [operator.sign, operator]));

/** Longest template, in characters. */
const maxTemplateLength = 10_000;
/** Most variables of a template. */
const maxVariables = 100;

const nameForm = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*$/;
// What RFC 6570 keeps out of the text between expressions; an apostrophe is harmless.
// oxlint-disable-next-line no-control-regex -- control characters are part of what it keeps out
const noLiteral = /[\u0000-\u0020"<>\\^`|\u007f]|%(?![0-9A-Fa-f]{2})/;

/** @throws ArgumentError when it is no template, or one past the bounds */
export function parseTemplate(template: string): readonly Part[] {
  if (typeof template !== 'string') throw new ArgumentError('a URI template is a string');
  const invalid = (problem: string): ArgumentError =>
    new ArgumentError(`the URI template "${sample(template)}" is invalid: ${problem}`);
  if (template.length > maxTemplateLength) throw invalid(`it may have ${maxTemplateLength} characters`);
  const parts: Part[] = [];
  let count = 0;
  for (let at = 0; at < template.length;) {
    const open = template.indexOf('{', at);
    const literal = template.slice(at, open < 0 ? undefined : open);
    if (literal.includes('}')) throw invalid('a "}" closes nothing');
    if (noLiteral.test(literal)) throw invalid('there is a character in it that no URI has, encode it');
    if (literal !== '') parts.push(literal);
    if (open < 0) break;
    const close = template.indexOf('}', open);
    if (close < 0) throw invalid('a "{" is not closed');
    const expression = parseExpression(template.slice(open + 1, close), invalid);
    count += expression.variables.length;
    if (count > maxVariables) throw invalid(`it may have ${maxVariables} variables`);
    parts.push(expression);
    at = close + 1;
  }
  return parts;
}

function parseExpression(text: string, invalid: (problem: string) => Error): Expression {
  const operator = (text === '' ? undefined : bySign.get(text.charAt(0))) ?? plain;
  const variables = text
    .slice(operator.sign.length)
    .split(',')
    .map((spec) => {
      const [, name = '', star, length] = /^([^:*]*)(?:(\*)|:([1-9]\d{0,3}))?$/.exec(spec) ?? [];
      if (!nameForm.test(name))
        throw invalid(`{${sample(text, 60)}}: names are letters, digits, "_" and "." between them`);
      return { name, explode: star !== undefined, prefix: length === undefined ? undefined : Number(length) };
    });
  return { operator, variables };
}
