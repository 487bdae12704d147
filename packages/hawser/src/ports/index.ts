export type { Call, Caller, Exchange, Link, Note, Open, Reply, RequestOptions, Service, Why } from './exchange.ts';
export type {
  Authenticate,
  AuthenticateRequest,
  Authorizer,
  HttpFlight,
  HttpPort,
  HttpRequest,
  HttpResponse,
  Identity,
  Refused,
} from './http.ts';
export type { Pipe } from './pipe.ts';
export type { Bus, EventLog, Kv, Lease, LoggedEvent } from './store.ts';
export type { SchemaIssue, Validate, Validator } from './validator.ts';
