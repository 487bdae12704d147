/** An HTTP request as the client side of Streamable HTTP makes it. */
export interface HttpRequest {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

/** A response whose head has come; the body comes as it is read. */
export interface HttpResponse {
  readonly status: number;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** The body in chunks, decompressed. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * The whole body as text: the quick way for short answers.
   *
   * @throws ResponseTooLargeError past `maxBytes` decompressed bytes
   */
  text(maxBytes: number): Promise<string>;
}

/** A request under way. */
export interface HttpFlight {
  /**
   * Resolves with the head of the response.
   *
   * @throws TransportError with outcome `not-sent` when no byte of the request had left, else `unknown`
   */
  readonly response: Promise<HttpResponse>;
  /** False while no byte of the request has left; absent where the platform does not tell. */
  readonly sent?: boolean;
  /** Gives up: the request is not sent any more, or its stream is closed. Harmless after the end. */
  abort(reason: unknown): void;
}

/** The way to the network: undici on Node, `fetch` elsewhere, or a user's own. */
export interface HttpPort {
  send(request: HttpRequest): HttpFlight;
  /** Lets pooled connections go. */
  close?(): Promise<void>;
}

/** Adds credentials to requests and reacts to challenges. */
export interface Authorizer {
  /** Adds credentials to the headers of a request about to be sent. */
  apply(request: { url: string; headers: Record<string, string> }): Promise<void>;
  /** A response with status 401 or 403 came: whether another try is worth it. */
  challenged(response: { status: number; header(name: string): string | undefined }): Promise<'retry' | 'give-up'>;
}

/** A request about to be authenticated. */
export interface AuthenticateRequest {
  method: string;
  url: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
}

/** Who sent a request. Handlers find it in `ctx.caller`. */
export interface Identity {
  /** The name of the caller, never a token: sessions and rounds are bound to it. Undefined: anonymous. */
  principal?: string | undefined;
  /** What the caller may do, as its token says. */
  scopes?: readonly string[] | undefined;
  /** What else is known of the caller. */
  claims?: Readonly<Record<string, unknown>> | undefined;
}

/** An authentication that failed: the status and headers to answer with. */
export interface Refused {
  status: 401 | 403;
  headers?: Readonly<Record<string, string>> | undefined;
  message?: string | undefined;
}

/** Tells who sent a request, or refuses it. */
export type Authenticate = (request: AuthenticateRequest) => Identity | Refused | Promise<Identity | Refused>;
