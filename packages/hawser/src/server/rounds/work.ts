import type { JsonObject } from '../../base/json.ts';

/** What is run. */
export interface Work {
  /** Of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  /** As they came, before a schema changed them. */
  readonly args: JsonObject;
  /** A state is only good for the version that wrote it. */
  readonly version?: string | undefined;
  /** A round is run once, however often it is sent. */
  readonly once?: boolean | undefined;
}
