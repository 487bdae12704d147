import { ArgumentError, CapabilityError, ResourceNotFoundError, type McpError, type RpcError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { errorCodes } from '../model/meta.ts';
import type { ReadResourceResult, Resource, ResourceTemplate } from '../model/resources.ts';
import type { Facts } from '../wire/index.ts';
import { demand } from './capabilities.ts';
import { ResourceContent } from './content.ts';
import type { ListKind } from './lists.ts';
import type { Request } from './lowered.ts';
import type { Connection } from './negotiate.ts';
import type { CallOptions } from './options.ts';
import type { Requests } from './requests.ts';

export const resourceList: ListKind<Resource> = {
  method: 'resources/list',
  feature: 'resources',
  read: (lift, result) => lift.resourcesPage(result),
};

export const templateList: ListKind<ResourceTemplate> = {
  method: 'resources/templates/list',
  feature: 'resources',
  read: (lift, result) => lift.templatesPage(result),
};

/** What was read (server/resources "Reading Resources"). */
export class ReadResult {
  /** Mostly one; of a directory one for each file, say. None: the resource is there and empty. */
  readonly contents: readonly ResourceContent[];
  /** The result as it came. */
  readonly raw: JsonObject;

  /** @internal */
  constructor({ contents }: ReadResourceResult, raw: JsonObject) {
    this.contents = contents.map((content) => new ResourceContent(content));
    this.raw = raw;
  }

  /** All text contents, joined by line feeds. */
  get text(): string {
    return this.contents
      .filter((content) => content.isText)
      .map((content) => content.text)
      .join('\n');
  }

  /**
   * The bytes of one content, the first unless told otherwise; of a text those of UTF-8.
   *
   * @throws ArgumentError when there is no such content, InvalidResponseError when it is not base64
   */
  bytes(index = 0): Uint8Array {
    const content = this.contents[index];
    if (content === undefined) throw new ArgumentError(`there are ${this.contents.length} contents, none at ${index}`);
    return content.bytes;
  }
}

export async function readResource(requests: Requests, uri: string, options: CallOptions): Promise<ReadResult> {
  const method = 'resources/read';
  assertUri(uri, 'readResource');
  const request = (on: Connection): Request => {
    demand(on, 'resources', method);
    return { method, params: { uri }, name: uri };
  };
  const errorOf = (error: RpcError, on: Connection): McpError =>
    isNotFound(error, uri, on.wire.facts) ? notFound(error, uri) : error;
  const { result, connection } = await requests.send(request, options, { errorOf });
  return new ReadResult(connection.wire.lift.readResult(result), result);
}

/**
 * Modern servers say -32602, or what older ones say (server/resources "Error Handling"). Since -32602 says of any
 * parameter that it is wrong, it counts if the error names the URI, or the URI is one at least.
 */
function isNotFound({ rpc, data }: RpcError, uri: string, facts: Facts): boolean {
  if (rpc?.code === errorCodes.legacyResourceNotFound) return true;
  if (rpc === undefined || rpc.code !== facts.resourceNotFound) return false;
  return (isObject(data) && data['uri'] === uri) || URL.canParse(uri);
}

function notFound(error: RpcError, uri: string): ResourceNotFoundError {
  const { rpc, status } = error;
  return new ResourceNotFoundError(uri, {
    origin: 'peer',
    outcome: 'refused',
    cause: error,
    ...(rpc && { rpc }),
    ...(status !== undefined && { status }),
  });
}

/** Asks a legacy server to tell of changes of a resource, or not to any more. */
export async function watchResource(
  requests: Requests,
  method: 'resources/subscribe' | 'resources/unsubscribe',
  uri: string,
  options: CallOptions,
): Promise<void> {
  assertUri(uri, method);
  await requests.send((on) => {
    assertSubscribes(on, method);
    return { method, params: { uri } };
  }, options);
}

function assertSubscribes({ wire, described }: Connection, method: string): void {
  if (!wire.has(method))
    throw new CapabilityError(
      `${method} does not exist in ${wire.revision}: use listen with resourceSubscriptions instead`,
    );
  if (described.capabilities.resources?.subscribe !== true)
    throw new CapabilityError(`${method}: the server does not declare resources.subscribe`);
}

function assertUri(uri: unknown, where: string): void {
  if (typeof uri !== 'string') throw new ArgumentError(`${where}: the URI must be a string`);
}
