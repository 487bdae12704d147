import { ArgumentError } from '../base/errors.ts';
import { sample } from '../base/logger.ts';

/** Origins of web pages that may call, each as scheme, host and port; `any`: all of them. */
export type AllowedOrigins = readonly string[] | 'any';

/** As browsers write it: no path, no slash at the end, no credentials. */
const originShape = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\,*]+$/i;

/**
 * The origins of an option, as they are compared.
 *
 * @throws ArgumentError for what no browser would ever send, and so would never match
 */
export function checkedOrigins(given: AllowedOrigins | undefined): AllowedOrigins {
  if (given === undefined || given === 'any') return given ?? [];
  if (!Array.isArray(given)) throw new ArgumentError("allowedOrigins is a list of origins, or 'any'");
  return (given as readonly unknown[]).map((origin) => {
    if (typeof origin === 'string' && isOrigin(origin)) return origin.toLowerCase();
    throw new ArgumentError(
      `allowedOrigins: "${sample(String(origin), 100)}" is no origin: they are such as https://app.example.com, or 'any' for all`,
    );
  });
}

/** Whether a browser would write it like this: of the web without a port that goes without saying. */
function isOrigin(text: string): boolean {
  if (!originShape.test(text)) return false;
  return !/^https?:/i.test(text) || (URL.canParse(text) && new URL(text).origin === text.toLowerCase());
}

const portOfThisMachine = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+$/;

/** Whether a page of this origin may call an endpoint that is addressed as `host`. */
export function originAllowed(allowed: AllowedOrigins, origin: string, host: string | undefined): boolean {
  if (allowed === 'any' || allowed.includes(origin)) return true;
  // Programs on this machine take whatever port is free. Elsewhere another port may be somebody else's.
  const withoutPort = portOfThisMachine.exec(origin)?.[1];
  if (withoutPort !== undefined && allowed.includes(withoutPort)) return true;
  const match = /^https?:\/\/([^/?#]+)$/i.exec(origin);
  if (match?.[1] === undefined || host === undefined) return false;
  // A page that this very host and port served is at home here. Against a re-bound name, where both agree, it is
  // the check of `Host` that protects.
  return match[1].toLowerCase() === host.toLowerCase();
}
