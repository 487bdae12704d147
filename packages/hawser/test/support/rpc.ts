import { McpError } from '../../src/base/errors.ts';
import type { RpcErrorObject } from '../../src/base/errors.ts';

/** The JSON-RPC error that a call was answered with. @throws whatever else it failed with, and when it did not */
export async function rpcOf(call: Promise<unknown>): Promise<RpcErrorObject | undefined> {
  try {
    await call;
  } catch (error) {
    if (McpError.is(error) && error.rpc !== undefined) return error.rpc;
    throw error;
  }
  throw new Error('the call was not refused');
}
