/**
 * The rows of the table as data. `id` is unique and names the pair; `client` and `server` are files without extension,
 * `mode` is what the server file is asked for, `protocol` what the client is asked for, `revision` what both must agree
 * on. Without `protocol` a client decides by itself.
 */
const modern = '2026-07-28';
const legacy = '2025-11-25';

const stdio = { mode: 'stdio' };

/** Cells a row does not have, with the reason. */
const noSession = 'without a session nobody can be asked, and nothing can be told';
const stateless = { without: { elicit: noSession, sample: noSession, roots: noSession, subscribe: noSession } };

const ours = (id, server, rest) => ({
  id: `hawser → ${id}`,
  group: 'our client',
  client: 'hawser/client',
  server: `servers/${server}`,
  dialect: 'ours',
  protocol: 'auto',
  ...rest,
});

const theirs = (id, client, rest) => ({
  id: `${id} → hawser`,
  group: 'our server',
  client: `clients/${client}`,
  server: 'hawser/server',
  dialect: 'ours',
  protocol: 'legacy',
  ...rest,
});

const peers = (id, client, server, rest) => ({
  id,
  group: 'peers',
  client: `clients/${client}`,
  server: `servers/${server}`,
  dialect: 'ours',
  protocol: 'legacy',
  revision: legacy,
  ...rest,
});

export const rows = [
  ours('official 2.4, http, modern', 'official2', { mode: 'http', protocol: 'modern', revision: modern }),
  ours('official 2.4, http, auto', 'official2', { mode: 'http', revision: modern }),
  ours('official 2.4, http sessions, legacy', 'official2', {
    mode: 'http-sessions',
    protocol: 'legacy',
    revision: legacy,
  }),
  ours('official 2.4, http sessions, auto', 'official2', { mode: 'http-sessions', revision: legacy }),
  ours('official 2.4, http stateless, legacy', 'official2', {
    mode: 'http',
    protocol: 'legacy',
    revision: legacy,
    ...stateless,
  }),
  ours('official 2.4, stdio, modern', 'official2', { ...stdio, protocol: 'modern', revision: modern }),
  ours('official 2.4, stdio, auto', 'official2', { ...stdio, revision: modern }),
  ours('official 2.4, stdio, legacy', 'official2', { ...stdio, protocol: 'legacy', revision: legacy }),
  ours('official 1.32, http sessions, auto', 'official1', { mode: 'http-sessions', revision: legacy }),
  ours('official 1.32, http sessions, legacy', 'official1', {
    mode: 'http-sessions',
    protocol: 'legacy',
    revision: legacy,
  }),
  ours('official 1.32, http stateless, auto', 'official1', { mode: 'http-stateless', revision: legacy, ...stateless }),
  ours('official 1.32, stdio, auto', 'official1', { ...stdio, revision: legacy }),
  ours('fastmcp, http, auto', 'fastmcp', { mode: 'http', revision: legacy }),
  ours('fastmcp, stdio, auto', 'fastmcp', { ...stdio, revision: legacy }),
  ours('everything, http, auto', 'everything', { mode: 'http', dialect: 'everything', revision: legacy }),
  ours('everything, stdio, auto', 'everything', { ...stdio, dialect: 'everything', revision: legacy }),

  theirs('official 2.4, http, modern', 'official2', { mode: 'http', protocol: 'modern', revision: modern }),
  theirs('official 2.4, http, auto', 'official2', { mode: 'http', protocol: 'auto', revision: modern }),
  theirs('official 2.4, http sessions, legacy', 'official2', { mode: 'http', revision: legacy }),
  theirs('official 2.4, http stateless, legacy', 'official2', {
    mode: 'http-stateless',
    revision: legacy,
    ...stateless,
  }),
  theirs('official 2.4, stdio, modern', 'official2', { ...stdio, protocol: 'modern', revision: modern }),
  theirs('official 2.4, stdio, auto', 'official2', { ...stdio, protocol: 'auto', revision: modern }),
  theirs('official 2.4, stdio, legacy', 'official2', { ...stdio, revision: legacy }),
  theirs('official 1.32, http sessions', 'official1', { mode: 'http', revision: legacy }),
  theirs('official 1.32, http stateless', 'official1', { mode: 'http-stateless', revision: legacy, ...stateless }),
  theirs('official 1.32, http+sse', 'official1', { mode: 'http-sse', revision: legacy }),
  theirs('official 1.32, stdio', 'official1', { ...stdio, revision: legacy }),
];

/** The peers among themselves (`--peers`): what is red here too is no fault of ours. */
export const peerRows = [
  peers('official 2.4 → official 2.4, http, modern', 'official2', 'official2', {
    mode: 'http',
    protocol: 'modern',
    revision: modern,
  }),
  peers('official 2.4 → official 2.4, http, auto', 'official2', 'official2', {
    mode: 'http',
    protocol: 'auto',
    revision: modern,
  }),
  peers('official 2.4 → official 2.4, http sessions, legacy', 'official2', 'official2', { mode: 'http-sessions' }),
  peers('official 2.4 → official 2.4, http stateless, legacy', 'official2', 'official2', {
    mode: 'http',
    ...stateless,
  }),
  peers('official 2.4 → official 2.4, stdio, modern', 'official2', 'official2', {
    ...stdio,
    protocol: 'modern',
    revision: modern,
  }),
  peers('official 2.4 → official 2.4, stdio, legacy', 'official2', 'official2', stdio),
  peers('official 2.4 → official 1.32, http sessions, auto', 'official2', 'official1', {
    mode: 'http-sessions',
    protocol: 'auto',
  }),
  peers('official 2.4 → official 1.32, stdio, auto', 'official2', 'official1', { ...stdio, protocol: 'auto' }),
  peers('official 1.32 → official 1.32, http sessions', 'official1', 'official1', { mode: 'http-sessions' }),
  peers('official 1.32 → official 1.32, http stateless', 'official1', 'official1', {
    mode: 'http-stateless',
    ...stateless,
  }),
  peers('official 1.32 → official 1.32, stdio', 'official1', 'official1', stdio),
  peers('official 1.32 → official 2.4, http sessions', 'official1', 'official2', { mode: 'http-sessions' }),
  peers('official 2.4 → fastmcp, http', 'official2', 'fastmcp', { mode: 'http' }),
  peers('official 2.4 → fastmcp, stdio', 'official2', 'fastmcp', stdio),
  peers('official 2.4 → everything, http', 'official2', 'everything', { mode: 'http', dialect: 'everything' }),
  peers('official 2.4 → everything, stdio', 'official2', 'everything', { ...stdio, dialect: 'everything' }),
];
