/** What a browser does for a page that calls a server elsewhere (Fetch standard, "CORS protocol"). */

/** Headers that a page may send without asking. */
const simple = new Set(['accept', 'accept-language', 'content-language']);
/** Headers that a page may read without being told so. */
const readable = new Set(['cache-control', 'content-language', 'content-length', 'content-type', 'expires']);

/** A page, and what its browser did. */
export interface Page {
  fetch(url: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Names of the headers that the browser asked for, one list per preflight. */
  readonly preflights: string[][];
}

function listed(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? '').toLowerCase().split(/[ ,]+/);
}

/** A page of this origin. What its browser does not let through fails as it does there: with a `TypeError`. */
export function pageAt(origin: string): Page {
  const preflights: string[][] = [];

  const ask = async (request: Request): Promise<void> => {
    const names = [...request.headers.keys()].filter((name) => !simple.has(name)).toSorted();
    preflights.push(names);
    const answer = await fetch(request.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        accept: '*/*',
        'access-control-request-method': request.method,
        ...(names.length > 0 && { 'access-control-request-headers': names.join(',') }),
      },
    });
    await answer.arrayBuffer();
    const methods = listed(answer.headers, 'access-control-allow-methods');
    const allowed = listed(answer.headers, 'access-control-allow-headers');
    if (!answer.ok || answer.headers.get('access-control-allow-origin') !== origin)
      throw new TypeError(`preflight: ${answer.status}`);
    if (!methods.includes(request.method.toLowerCase())) throw new TypeError(`preflight: no ${request.method}`);
    for (const name of names) if (!allowed.includes(name)) throw new TypeError(`preflight: no ${name}`);
  };

  return {
    preflights,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      const { method } = request;
      const headers = new Headers(request.headers);
      if (method === 'DELETE' || [...headers.keys()].some((name) => !simple.has(name))) await ask(request);
      headers.set('origin', origin);
      const body = request.body === null ? null : await request.text();
      const answer = await fetch(request.url, { method, headers, body, signal: request.signal });
      if (answer.headers.get('access-control-allow-origin') !== origin) throw new TypeError(`CORS: ${answer.status}`);
      const exposed = new Set([...readable, ...listed(answer.headers, 'access-control-expose-headers')]);
      const seen = [...answer.headers].filter(([name]) => exposed.has(name));
      return new Response(answer.body, { status: answer.status, headers: seen });
    },
  };
}
