import { ResourceNotFoundError } from '../base/errors.ts';
import { AmbiguousNameError, PromptNotFoundError, ToolNotFoundError } from './group-errors.ts';
import type { Member } from './group-member.ts';
import type { ListName } from './group-lists.ts';

/** Things that are found by name. */
export type Routed = 'tools' | 'prompts' | 'resources';

const kinds = { tools: 'tool', prompts: 'prompt', resources: 'resource' } as const;

/**
 * The one server that has the tool, prompt or resource of this name. Lists are asked for when they are not known, may
 * have changed, or the name is in none of them. A URI that nobody lists is looked for among the templates; if there
 * are none and only one server has resources, it is asked, since servers need not list all that they have.
 *
 * @throws AmbiguousNameError, ToolNotFoundError, PromptNotFoundError, ResourceNotFoundError
 */
export async function locate(members: readonly Member[], routed: Routed, name: string): Promise<Member> {
  const connected = members.filter(({ client }) => client !== undefined);
  for (const member of connected) member.watch();
  const unsettled = connected.filter((member) => !member.isSettled(routed));
  await refresh(unsettled, routed);
  let found = thatList(connected, routed, name);
  if (found.length === 0) {
    await refresh(
      connected.filter((member) => !unsettled.includes(member)),
      routed,
    );
    found = thatList(connected, routed, name);
  }
  if (found.length === 0 && routed === 'resources') found = await byTemplate(connected, name);
  const [member] = found;
  if (member === undefined) throw notFound(members, routed, name);
  if (found.length > 1)
    throw new AmbiguousNameError(
      kinds[routed],
      name,
      found.map((each) => each.name),
    );
  return member;
}

async function refresh(members: readonly Member[], list: ListName): Promise<void> {
  if (members.length > 0) await Promise.all(members.map((member) => member.refresh(list)));
}

function thatList(members: readonly Member[], list: ListName, name: string): Member[] {
  return members.filter((member) => member.namesOf(list).has(name));
}

async function byTemplate(members: readonly Member[], uri: string): Promise<Member[]> {
  const withResources = members.filter(({ client }) => client?.capabilities.resources !== undefined);
  if (withResources.length < 2) return withResources;
  await refresh(
    withResources.filter((member) => !member.isSettled('templates')),
    'templates',
  );
  return withResources.filter((member) => member.templates.take(uri));
}

function notFound(members: readonly Member[], routed: Routed, name: string): Error {
  const unavailable = members.filter((member) => member.isInTheDark(routed)).map((member) => member.name);
  if (routed === 'tools') return new ToolNotFoundError(name, unavailable);
  if (routed === 'prompts') return new PromptNotFoundError(name, unavailable);
  return new ResourceNotFoundError(name, { outcome: 'not-sent' });
}
