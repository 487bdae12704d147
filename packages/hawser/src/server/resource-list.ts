/** `resources/list` where templates list resources of their own: after the registered ones, template by template. */
import { isObject } from '../base/json.ts';
import { isUri } from '../core/uri.ts';
import type { Resource, ResourceTemplate } from '../model/resources.ts';
import type { Call, Exchange, Reply } from '../ports/index.ts';
import { wireOf } from '../wire/index.ts';
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
    const rest = await listed(call, exchange, resources, templates, server, ofTemplate, entries.length);
    entries.push(...rest.entries);
    nextCursor = rest.nextCursor;
  }
  const { lower } = wireOf(exchange.caller.revision);
  // What templates list may be for this caller only.
  const hints = { ...server.hints, cacheScope: 'private' as const };
  return { result: lower.resourcesPage({ entries, nextCursor }, hints, server.info) };
}

/** What the templates from `from` on list, as far as there is room on the page. */
async function listed(
  call: Call,
  exchange: Exchange,
  resources: Registry<{ readonly resource: Resource }>,
  templates: Registry<TemplateEntry>,
  server: Running,
  from: Place | undefined,
  taken: number,
): Promise<{ entries: Resource[]; nextCursor: string | undefined }> {
  const entries: Resource[] = [];
  for (const { number, entry } of templates.all) {
    if (entry.list === undefined || number < (from?.after ?? 0)) continue;
    const skip = number === from?.after ? from.within : 0;
    const own = await listOf(entry, call, exchange, server);
    for (let at = skip; at < own.length; at++) {
      if (taken + entries.length >= server.pageSize)
        return { entries, nextCursor: cursorOf('listed', { after: number, within: at }) };
      const resource = own[at] as Resource;
      // A registered resource is in the list already.
      if (resources.get(resource.uri) === undefined) entries.push(resource);
    }
  }
  return { entries, nextCursor: undefined };
}

/** What one template lists; nothing when it fails, since a list without it serves callers better than none. */
async function listOf(
  { template, list }: TemplateEntry,
  call: Call,
  exchange: Exchange,
  { runner, logger }: Running,
): Promise<Resource[]> {
  const what = `the list of ${named('template', template.uriTemplate)}`;
  const ran = await runner.run(call, exchange, { name: template.uriTemplate, args: {} }, (context) => list?.(context));
  if (!('value' in ran)) {
    logger.error(`${what} failed`, 'thrown' in ran ? ran.thrown : 'a list cannot ask');
    return [];
  }
  if (!Array.isArray(ran.value)) {
    logger.error(`${what} is no array`);
    return [];
  }
  const resources = (ran.value as unknown[]).filter(isResource);
  if (resources.length < ran.value.length) logger.error(`${what} has entries without uri or name`);
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
