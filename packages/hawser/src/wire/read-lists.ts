/** What the lists of a peer hold, entry by entry. */
import { isObject, type JsonObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import type { Prompt } from '../model/prompts.ts';
import type { Resource, ResourceTemplate } from '../model/resources.ts';
import type { Tool } from '../model/types.ts';
import { wrong } from './read.ts';
import type { Page } from './wire.ts';

/** What is wrong with an entry; undefined when it can be used. */
type Judge = (entry: JsonObject) => string | undefined;

/** One entry that cannot be used is left out, with the reason: it is no reason to lose the others. */
function readPage<Entry>(result: JsonObject, list: string, noun: string, judge: Judge): Page<Entry> {
  const { [list]: listed, nextCursor } = result;
  if (!Array.isArray(listed)) throw wrong(`${list} is not an array`);
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const entry of listed as unknown[]) {
    const problem = isObject(entry) ? judge(entry) : `a ${noun} is not an object`;
    // What the judge lets pass is taken for an entry; members that it does not look at are as they came.
    if (problem === undefined) entries.push(withoutNulls(entry as JsonObject) as Entry);
    else problems.push(problem);
  }
  // An empty cursor is a cursor; only a missing one ends the list (server/utilities/pagination).
  return typeof nextCursor === 'string' ? { entries, nextCursor, problems } : { entries, problems };
}

/** Some servers write `null` for what they do not say, and an output schema can be missed more easily than a tool. */
function withoutNulls(entry: JsonObject): JsonObject {
  const bad = Object.keys(entry).filter(
    (key) => entry[key] === null || (key === 'outputSchema' && !isObject(entry[key])),
  );
  return bad.length === 0 ? entry : Object.fromEntries(Object.entries(entry).filter(([key]) => !bad.includes(key)));
}

const named =
  (noun: string, key: string): Judge =>
  (entry) =>
    typeof entry[key] === 'string' && entry[key] !== '' ? undefined : `a ${noun} has no ${key}`;

function judgeTool(tool: JsonObject): string | undefined {
  const { name, inputSchema } = tool;
  if (typeof name !== 'string' || name === '') return 'a tool has no name';
  const shown = `tool "${sample(name, 128)}"`;
  if (!isObject(inputSchema)) return `${shown} has no input schema`;
  const type = inputSchema['type'];
  return type === undefined || type === 'object' ? undefined : `${shown} has an input schema that is not of an object`;
}

/** Arguments that are no list cost only the arguments. */
function withArguments(page: Page<Prompt>): Page<Prompt> {
  for (const prompt of page.entries) {
    const args: unknown = prompt.arguments;
    if (args === undefined) continue;
    if (Array.isArray(args)) prompt.arguments = args.filter((arg) => isObject(arg) && typeof arg['name'] === 'string');
    else delete prompt.arguments;
  }
  return page;
}

export function readTools(result: JsonObject): Page<Tool> {
  return readPage(result, 'tools', 'tool', judgeTool);
}

export function readResources(result: JsonObject): Page<Resource> {
  return readPage(result, 'resources', 'resource', named('resource', 'uri'));
}

export function readTemplates(result: JsonObject): Page<ResourceTemplate> {
  return readPage(result, 'resourceTemplates', 'resource template', named('resource template', 'uriTemplate'));
}

export function readPrompts(result: JsonObject): Page<Prompt> {
  return withArguments(readPage(result, 'prompts', 'prompt', named('prompt', 'name')));
}
