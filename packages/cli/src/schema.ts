/** The little that a command line needs to know of a JSON Schema: which types a value may have, and how to say so. */

type JsonObject = { [key: string]: unknown };

/** A JSON object, as opposed to null, an array or a primitive. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const deepest = 8;

/** The schema itself, or what its `$ref` into the same document names. Undefined for anything else. */
function resolve(schema: unknown, root: unknown): JsonObject | undefined {
  let at = schema;
  for (let depth = 0; depth < deepest && isObject(at); depth++) {
    if (typeof at['$ref'] !== 'string') return at;
    at = pointer(root, at['$ref']);
  }
  return undefined;
}

function pointer(root: unknown, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let at = root;
  for (const part of ref.slice(2).split('/')) {
    if (!isObject(at)) return undefined;
    at = at[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return at;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The JSON Schema type of a value; whole numbers are `integer`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** The types that a schema allows; empty when it does not say. */
export function typesOf(schema: unknown, root: unknown, depth = 0): ReadonlySet<string> {
  const at = depth > deepest ? undefined : resolve(schema, root);
  if (at === undefined) return new Set();
  if (typeof at['type'] === 'string') return new Set([at['type']]);
  if (Array.isArray(at['type'])) return new Set(at['type'].filter((type) => typeof type === 'string'));
  if ('const' in at) return new Set([typeOf(at['const'])]);
  if (Array.isArray(at['enum'])) return new Set(at['enum'].map(typeOf));
  const branches = [...list(at['anyOf']), ...list(at['oneOf'])].map((branch) => typesOf(branch, root, depth + 1));
  if (branches.length > 0) {
    return branches.some((types) => types.size === 0) ? new Set() : new Set(branches.flatMap((types) => [...types]));
  }
  for (const part of list(at['allOf'])) {
    const types = typesOf(part, root, depth + 1);
    if (types.size > 0) return types;
  }
  return new Set();
}

/** The schema of a member of an object schema, looked for in its `properties` and those of its parts. */
export function memberOf(schema: unknown, name: string, root: unknown, depth = 0): unknown {
  const at = depth > deepest ? undefined : resolve(schema, root);
  if (at === undefined) return undefined;
  const properties = at['properties'];
  if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  for (const part of [...list(at['allOf']), ...list(at['anyOf']), ...list(at['oneOf'])]) {
    const found = memberOf(part, name, root, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One parameter of a tool. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | undefined;
  /** The default as JSON text. */
  readonly fallback: string | undefined;
}

/** The parameters that an input schema names, required ones first, otherwise in its order. */
export function parametersOf(inputSchema: unknown): Parameter[] {
  const schema = resolve(inputSchema, inputSchema);
  const properties = schema !== undefined && isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(list(schema?.['required']));
  const parameters = Object.entries(properties).map(([name, property]) => {
    const at = resolve(property, inputSchema);
    return {
      name,
      type: typeText(property, inputSchema),
      required: required.has(name),
      description: typeof at?.['description'] === 'string' ? at['description'] : undefined,
      fallback: at !== undefined && 'default' in at ? JSON.stringify(at['default']) : undefined,
    };
  });
  return [...parameters.filter((p) => p.required), ...parameters.filter((p) => !p.required)];
}

const mostValues = 6;

/** A type for people: `string`, `integer[]`, `"a" | "b"`, `any`. */
export function typeText(schema: unknown, root: unknown, depth = 0): string {
  const at = depth > 3 ? undefined : resolve(schema, root);
  if (at === undefined) return 'any';
  if ('const' in at) return JSON.stringify(at['const']);
  if (Array.isArray(at['enum'])) {
    const values = at['enum'].slice(0, mostValues).map((value) => JSON.stringify(value));
    return [...values, ...(at['enum'].length > mostValues ? ['…'] : [])].join(' | ');
  }
  const branches = [...list(at['anyOf']), ...list(at['oneOf'])];
  if (branches.length > 0 && at['type'] === undefined) {
    return [...new Set(branches.map((branch) => typeText(branch, root, depth + 1)))].join(' | ');
  }
  const types = [...typesOf(at, root)];
  if (types.length === 0) return 'any';
  const items = 'items' in at ? typeText(at['items'], root, depth + 1) : 'any';
  const arrayText = items === 'any' ? 'array' : items.includes(' ') ? `(${items})[]` : `${items}[]`;
  return types.map((type) => (type === 'array' ? arrayText : type)).join(' | ');
}
