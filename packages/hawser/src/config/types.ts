/** A server to start, as a configuration file says it. Placeholders such as `${TOKEN}` are still in it. */
export interface StdioServerConfig {
  readonly type: 'stdio';
  readonly name: string;
  /** The program and its arguments; no shell has a part in it. */
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** A file of `NAME=value` lines; `env` wins over it. */
  readonly envFile?: string | undefined;
  readonly cwd?: string | undefined;
  /** The file says not to use it. */
  readonly disabled?: boolean | undefined;
}

/** A server behind a URL, as a configuration file says it. Placeholders such as `${TOKEN}` are still in it. */
export interface HttpServerConfig {
  readonly type: 'http';
  readonly name: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The file says not to use it. */
  readonly disabled?: boolean | undefined;
}

/** One server of a configuration file, in whatever form the file had it. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

/** A value that a person is to be asked for (`inputs` of VS Code): `${input:id}` stands for it. */
export interface ConfigInput {
  readonly id: string;
  /** What the file says: `promptString`, `pickString`, `command`. */
  readonly type: string;
  readonly description?: string;
  /** Not to be shown while it is typed. */
  readonly password: boolean;
  /** What to propose; never taken unasked. */
  readonly default?: string;
  /** The choices of a `pickString`. */
  readonly options?: readonly string[];
}

/** What a configuration file holds. */
export interface ParsedConfig {
  /** By name. Those with problems are left out. */
  readonly servers: Readonly<Record<string, ServerConfig>>;
  readonly inputs: readonly ConfigInput[];
  /** What could not be used and why, one text each; no values of the file are in them. */
  readonly problems: readonly string[];
}
