/** What authors give in place of a schema, and which part of one is to blame: for messages that help. */
import { isObject } from '../base/json.ts';
import { sample } from '../base/logger.ts';
import { isStandardSchema, toJsonSchema, type AnySchema, type StandardSchema } from './standard.ts';

/** Schemas of a library where a JSON Schema is read: members of an object without the object around them. */
export function shapeProblem(schema: AnySchema): string | undefined {
  if (!isObject(schema) || isStandardSchema(schema)) return undefined;
  const bare = schemaAmong(schema);
  if (bare !== undefined) {
    const wrapper = bare.vendor === 'zod' ? 'z.object({ … })' : `an object schema of ${bare.vendor}`;
    return `these are members, no schema ("${bare.name}" is a schema of ${bare.vendor}): wrap it in ${wrapper}`;
  }
  const within = isObject(schema['properties']) ? schemaAmong(schema['properties']) : undefined;
  if (within === undefined) return undefined;
  return `"${within.name}" is a schema of ${within.vendor} within a JSON Schema: give all of it in one or the other`;
}

function schemaAmong(members: Record<string, unknown>): { name: string; vendor: string } | undefined {
  for (const [name, member] of Object.entries(members))
    if (isStandardSchema(member)) return { name: sample(name, 100), vendor: member['~standard'].vendor };
  return undefined;
}

const maxDepth = 10;

/** The member that keeps a schema from being shown as JSON Schema, as `a.b`; where its library lets one look. */
export function unshown(schema: StandardSchema, side: 'input' | 'output', depth = 0): string | undefined {
  // Where zod and valibot have the members of an object.
  const { shape, entries } = schema as { shape?: unknown; entries?: unknown };
  const members = isObject(shape) ? shape : entries;
  if (!isObject(members) || depth > maxDepth) return undefined;
  for (const [name, member] of Object.entries(members)) {
    if (!isStandardSchema(member) || isShown(member, side)) continue;
    const further = unshown(member, side, depth + 1);
    return further === undefined ? sample(name, 100) : `${sample(name, 100)}.${further}`;
  }
  return undefined;
}

function isShown(schema: StandardSchema, side: 'input' | 'output'): boolean {
  try {
    toJsonSchema(schema, side);
    return true;
  } catch {
    return false;
  }
}
