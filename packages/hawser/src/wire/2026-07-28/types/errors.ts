// Errors.

import type * as Elder from '../../2025-11-25/types.ts';
import type { ClientCapabilities } from './discovery.ts';

export interface ParseError extends Elder.Error {
  code: -32700;
}

export interface InvalidRequestError extends Elder.Error {
  code: -32600;
}

export interface MethodNotFoundError extends Elder.Error {
  code: -32601;
}

export interface InvalidParamsError extends Elder.Error {
  code: -32602;
}

export interface InternalError extends Elder.Error {
  code: -32603;
}

/** HTTP only: a header is missing, or says something else than the body. */
export interface HeaderMismatchError extends Elder.JSONRPCErrorResponse {
  error: Elder.Error & { code: -32020 };
}

export interface MissingRequiredClientCapabilityError extends Elder.JSONRPCErrorResponse {
  error: Elder.Error & { code: -32021; data: { requiredCapabilities: ClientCapabilities } };
}

export interface UnsupportedProtocolVersionError extends Elder.JSONRPCErrorResponse {
  error: Elder.Error & { code: -32022; data: { supported: string[]; requested: string } };
}
