/**
 * Types of values from literal JSON Schemas: only what a reader of the schema would say at once, and no deeper than six
 * levels.
 */

/** How many levels are left, one level further down. */
type Less = [0, 0, 1, 2, 3, 4, 5];

/** What a JSON Schema accepts; `unknown` where the schema does not say it plainly. */
export type FromJsonSchema<Schema> = Shape<Schema, Schema, 6>;

type Shape<Schema, Root, Left extends number> = [Left] extends [0]
  ? unknown
  : Schema extends false
    ? never
    : Schema extends { readonly const: infer Value }
      ? Value
      : Schema extends { readonly enum: readonly (infer Value)[] }
        ? Value
        : Schema extends { readonly $ref: infer Ref }
          ? Referred<Ref, Root, Left>
          : Schema extends { readonly oneOf: readonly (infer Choice)[] } | { readonly anyOf: readonly (infer Choice)[] }
            ? Plain<Schema, Root, Left> & Shape<Choice, Root, Less[Left]>
            : Plain<Schema, Root, Left>;

type Plain<Schema, Root, Left extends number> = Schema extends { readonly type: infer Type }
  ? OfType<Type extends readonly (infer One)[] ? One : Type, Schema, Root, Left>
  : Schema extends { readonly properties: object }
    ? Members<Schema, Root, Left>
    : unknown;

type OfType<Type, Schema, Root, Left extends number> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'object'
          ? Members<Schema, Root, Left>
          : Type extends 'array'
            ? Items<Schema, Root, Left>
            : unknown;

type Members<Schema, Root, Left extends number> = Schema extends {
  readonly properties: infer Properties extends object;
}
  ? Schema extends { readonly additionalProperties: object | true }
    ? Known<Properties, Needed<Schema>, Root, Less[Left]> & { [name: string]: unknown }
    : Known<Properties, Needed<Schema>, Root, Less[Left]>
  : Schema extends { readonly additionalProperties: infer Other extends object }
    ? { [name: string]: Shape<Other, Root, Less[Left]> }
    : { [name: string]: unknown };

/** The names in `required`; none if the list is not literal. */
type Needed<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never;

type Known<Properties, Names, Root, Left extends number> = Flat<
  { -readonly [Name in keyof Properties as Name & Names]: Shape<Properties[Name], Root, Left> } & {
    -readonly [Name in keyof Properties as Exclude<Name, Names>]?: Shape<Properties[Name], Root, Left>;
  }
>;

/** One object type instead of an intersection: what an editor shows. */
type Flat<Value> = { [Name in keyof Value]: Value[Name] };

type Items<Schema, Root, Left extends number> = Schema extends {
  readonly prefixItems: infer First extends readonly unknown[];
}
  ? [...Prefix<First, Schema, Root, Less[Left]>, ...Rest<Schema, Root, Less[Left]>]
  : Rest<Schema, Root, Left>;

/** `prefixItems` by itself demands no entry: `minItems` does. */
type Prefix<First extends readonly unknown[], Schema, Root, Left extends number> = Schema extends {
  readonly minItems: First['length'];
}
  ? { -readonly [Index in keyof First]: Shape<First[Index], Root, Left> }
  : { -readonly [Index in keyof First]?: Shape<First[Index], Root, Left> };

type Rest<Schema, Root, Left extends number> = Schema extends { readonly items: infer Item }
  ? Item extends false
    ? []
    : Shape<Item, Root, Less[Left]>[]
  : unknown[];

type Referred<Ref, Root, Left extends number> = Ref extends '#'
  ? Shape<Root, Root, Less[Left]>
  : Ref extends `#/$defs/${infer Name}`
    ? Root extends { readonly $defs: { readonly [_ in Name]: infer Schema } }
      ? Shape<Schema, Root, Less[Left]>
      : unknown
    : unknown;
