import type { Resource, ResourceContent, ResourceTemplate } from 'hawser';
import type { Style } from './output.ts';
import { aboutLines, describeBlock } from './render.ts';
import { clip, oneLine, size, visible } from './text.ts';

/** What `resources` found. */
export interface FoundResources {
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** The list that `resources` prints: resources, then templates. */
export function renderResources({ resources, resourceTemplates }: FoundResources, style: Style): string {
  if (resources.length + resourceTemplates.length === 0) return 'The server offers no resources.';
  const parts = resources.map((resource) => entry(resource.uri, resource, style));
  if (resourceTemplates.length > 0) {
    const templates = resourceTemplates.map((template) => entry(template.uriTemplate, template, style));
    parts.push([style.paint.dim('templates'), ...templates].join('\n'));
  }
  return parts.join('\n');
}

function entry(
  address: string,
  { name, title, description, mimeType, size: bytes }: Resource | ResourceTemplate,
  style: Style,
): string {
  const { paint } = style;
  const facts = [
    ...(typeof mimeType === 'string' ? [clip(oneLine(mimeType), 80)] : []),
    ...(typeof bytes === 'number' ? [size(bytes)] : []),
  ];
  const label = typeof title === 'string' && title !== '' ? title : name;
  const head = [
    paint.bold(paint.cyan(oneLine(address))),
    ...(label === address ? [] : [oneLine(label)]),
    ...(facts.length === 0 ? [] : [paint.dim(facts.join(', '))]),
  ].join('  ');
  return [head, ...aboutLines(description, style)].join('\n');
}

/** Several contents of one resource: each under its address; what is no text in one line. */
export function renderContents(contents: readonly ResourceContent[], { paint }: Style): string {
  if (contents.length === 0) return paint.dim('[the resource is empty]');
  return contents
    .map((content) => {
      if (content.text === undefined)
        return paint.dim(`[${describeBlock({ type: 'resource', resource: content.raw })}]`);
      return `${paint.dim(oneLine(content.uri))}\n${visible(content.text).replace(/\n$/, '')}`;
    })
    .join('\n');
}
