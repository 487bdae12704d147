/** `resources/list` where templates list resources of their own: after the registered ones, template by template. */
import { isObject } from '../base/json.ts';
import { isUri } from '../core/uri.ts';
import type { Resource, ResourceTemplate } from '../model/resources.ts';
import type { Call, Exchange, Reply } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
import type { Context } from './context.ts';
import { named, type Running } from './definitions.ts';
import { beginning, cursorOf, placeOf, unknownCursor, type Place } from './pages.ts';
import type { Registry } from './registry.ts';
import type { TemplateEntry } from './templates.ts';

/**
 * One page. A cursor says which registered resource, or how many resources of which template, it follows on; what a
 * template lists is asked for anew with each page.
 */
export async function resourcesPage(
  call: Call,
  exchange: Exchange,
  resources: Registry<{ readonly resource: Resource }>,
  templates: Registry<TemplateEntry>,
  server: Running,
): Promise<Reply> {
  const cursor = call.params?.['cursor'];
  const ofTemplate = cursor === undefined ? undefined : placeOf('listed', cursor);
  const place = cursor === undefined ? beginning : placeOf('resources', cursor);
  if (place === undefined && ofTemplate === undefined) return unknownCursor;
  const cut = place === undefined ? undefined : resources.cut(place);
  const entries = (cut?.entries ?? []).map(({ resource }) => resource);
  let nextCursor = cut?.nextCursor;
  if (nextCursor === undefined) {
    const rest = await server.runner.runMute(call, exchange, 'resources/list', (context) =>
      listed(context, resources, templates, server, ofTemplate ?? beginning, entries.length),
    );
    entries.push(...rest.entries);
    nextCursor = rest.nextCursor;
  }
  const { lower } = wireOf(exchange.caller.revision);
  // What templates list may be for this caller only.
  const hints = { ...server.hints, cacheScope: 'private' as const };
  return { result: lower.resourcesPage({ entries, nextCursor }, hints, server.info) };
}

/**
 * What the templates list from `from` on, as far as there is room on the page. Those before it are asked too: what one
 * of them lists is on a page already.
 */
async function listed(
  context: Context,
  resources: Registry<{ readonly resource: Resource }>,
  templates: Registry<TemplateEntry>,
  server: Running,
  from: Place,
  taken: number,
): Promise<{ entries: Resource[]; nextCursor: string | undefined }> {
  const entries: Resource[] = [];
  const seen = new Set<string>();
  for (const { number, entry } of templates.all) {
    if (entry.list === undefined) continue;
    const own = await listOf(entry, context, server);
    for (const [at, resource] of own.entries()) {
      const { uri } = resource;
      const before = number < from.after || (number === from.after && at < from.within);
      if (!before && taken + entries.length >= server.pageSize)
        return { entries, nextCursor: cursorOf('listed', { after: number, within: at }) };
      // A registered resource is in the list already.
      if (!before && !seen.has(uri) && resources.get(uri) === undefined) entries.push(resource);
      seen.add(uri);
    }
  }
  return { entries, nextCursor: undefined };
}

/** What one template lists; nothing when it fails, since a list without it serves callers better than none. */
async function listOf({ template, list }: TemplateEntry, context: Context, { logger }: Running): Promise<Resource[]> {
  const what = `the list of ${named('template', template.uriTemplate)}`;
  let given: unknown;
  try {
    given = await list?.(context);
  } catch (thrown) {
    logger.error(`${what} failed`, thrown);
    return [];
  }
  if (!Array.isArray(given)) {
    logger.error(`${what} is no array`);
    return [];
  }
  const resources = (given as unknown[]).filter(isResource);
  if (resources.length < given.length) logger.error(`${what} has entries without uri or name`);
  return resources.map((resource) => withDefaults(resource, template));
}

/** What the template says of all its resources holds for an entry that says nothing else. */
function withDefaults(resource: Resource, template: ResourceTemplate): Resource {
  const { mimeType = template.mimeType, annotations = template.annotations } = resource;
  return { ...resource, ...(mimeType !== undefined && { mimeType }), ...(annotations && { annotations }) };
}

function isResource(value: unknown): value is Resource {
  return isObject(value) && isUri(value['uri']) && typeof value['name'] === 'string';
}
