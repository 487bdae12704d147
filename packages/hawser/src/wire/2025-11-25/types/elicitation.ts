// Elicitation: a server asks a person.

import type * as Elder from '../../2025-06-18/types.ts';
import type { Call, Error, JSONRPCErrorResponse, Note } from './base.ts';
import type { TaskAugmentedRequestParams } from './tasks.ts';

export interface StringSchema extends Elder.StringSchema {
  default?: string;
}

export interface NumberSchema extends Elder.NumberSchema {
  default?: number;
}

interface OneOfStrings {
  type: 'string';
  title?: string;
  description?: string;
  default?: string;
}

interface SeveralStrings {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  default?: string[];
}

/** A choice and its name for people. */
interface Option {
  const: string;
  title: string;
}

export interface UntitledSingleSelectEnumSchema extends OneOfStrings {
  enum: string[];
}

export interface TitledSingleSelectEnumSchema extends OneOfStrings {
  oneOf: Option[];
}

export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;

export interface UntitledMultiSelectEnumSchema extends SeveralStrings {
  items: { type: 'string'; enum: string[] };
}

export interface TitledMultiSelectEnumSchema extends SeveralStrings {
  items: { anyOf: Option[] };
}

export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;

/** The form of 2025-06-18; `enumNames` are names for people, in the same order. */
export interface LegacyTitledEnumSchema extends Elder.EnumSchema {
  default?: string;
}

export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;

/** What one field of a form may be. */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | Elder.BooleanSchema | EnumSchema;

/** Asks a person to fill in a flat form. */
export interface ElicitRequestFormParams extends TaskAugmentedRequestParams {
  mode?: 'form';
  message: string;
  requestedSchema: {
    $schema?: string;
    type: 'object';
    properties: { [name: string]: PrimitiveSchemaDefinition };
    required?: string[];
  };
}

/** Asks a person to go to an address, for what must not pass through the client. */
export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  mode: 'url';
  message: string;
  url: string;
  elicitationId: string;
}

export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

export type ElicitRequest = Call<'elicitation/create', ElicitRequestParams>;

export interface ElicitResult extends Omit<Elder.ElicitResult, 'content'> {
  /** Present if a form was accepted. */
  content?: { [name: string]: string | number | boolean | string[] };
}

/** What a person had to do at an address is done. */
export type ElicitationCompleteNotification = Note<'notifications/elicitation/complete', { elicitationId: string }>;

/** The request needs something that a person must first do elsewhere. */
export interface URLElicitationRequiredError extends JSONRPCErrorResponse {
  error: Error & { code: -32042; data: { elicitations: ElicitRequestURLParams[]; [key: string]: unknown } };
}
