import { isDeeperThan } from '../base/depth.ts';
import { notJson, parseShallowJson } from '../base/json.ts';
import { Refusal } from '../core/refusal.ts';
import { errorCodes } from '../model/meta.ts';
import { readMessage } from '../wire/index.ts';

/** How deep arrays and objects of a message may be nested: enough for any arguments, and no stack overflows. */
const maxDepth = 64;

const tooDeep = new Refusal(400, errorCodes.parse, `the body is nested deeper than ${maxDepth} levels`);
const notJsonBody = new Refusal(400, errorCodes.parse, 'the body is not JSON');

/** The JSON of a request body, or why it cannot be taken. */
export function parseBody(text: string): unknown {
  if (isDeeperThan(text, maxDepth)) return tooDeep;
  const parsed = parseShallowJson(text);
  return parsed === notJson ? notJsonBody : parsed;
}

/** Whether there would be something to run in a body. */
export function isToRun(parsed: unknown): boolean {
  return Array.isArray(parsed) ? parsed.some(isToRun) : readMessage(parsed).kind === 'request';
}
