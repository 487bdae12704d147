import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../base/errors.ts';
import { parseConfig } from './parse.ts';

function problemOf(entry: unknown): string {
  const { servers, problems } = parseConfig({ mcpServers: { x: entry } }, { source: 'f.json' });
  expect(servers).toEqual({});
  expect(problems).toHaveLength(1);
  return problems[0]?.replace('f.json: server "x" is left out: ', '') ?? '';
}

describe('parseConfig', () => {
  test('[SEED-480] a file of servers, a bare array and a single server; remarks are no part of them', () => {
    const remarked = { command: 'node', args: ['s.js'], comment: 'x', description: 'y' };
    const one = { type: 'stdio', command: ['node', 's.js'] };
    expect(parseConfig({ mcpServers: { a: remarked, comment: 'of the file', description: 'too' } })).toEqual({
      servers: { a: { ...one, name: 'a' } },
      inputs: [],
      problems: [],
    });
    expect(parseConfig([remarked, { url: 'https://h/mcp' }]).servers).toEqual({
      0: { ...one, name: '0' },
      1: { type: 'http', name: '1', url: 'https://h/mcp' },
    });
    expect(parseConfig(remarked).servers).toEqual({ 0: { ...one, name: '0' } });
  });

  test('a file of VS Code, with comments, trailing commas and inputs', () => {
    const text = `{
      // for everybody
      "inputs": [{ "id": "key", "type": "promptString", "description": "API key", "password": true, },
                 { "id": "env", "type": "pickString", "options": ["a", { "label": "B", "value": "b" }, 3], "default": "a" }],
      "servers": {
        "gh": { "type": "http", "url": "https://h/mcp", "headers": { "Authorization": "Bearer \${input:key}" } },
        "fs": { "type": "stdio", "command": "npx", "args": ["-y", "fs", "\${workspaceFolder}"], "envFile": ".env", },
      },
    }`;
    expect(parseConfig(text)).toEqual({
      servers: {
        gh: { type: 'http', name: 'gh', url: 'https://h/mcp', headers: { Authorization: 'Bearer ${input:key}' } },
        fs: { type: 'stdio', name: 'fs', command: ['npx', '-y', 'fs', '${workspaceFolder}'], envFile: '.env' },
      },
      inputs: [
        { id: 'key', type: 'promptString', description: 'API key', password: true },
        { id: 'env', type: 'pickString', password: false, options: ['a', 'b'], default: 'a' },
      ],
      problems: [],
    });
  });

  test('an input without an id is a problem', () => {
    const { inputs, problems } = parseConfig({ servers: {}, inputs: [{ type: 'promptString' }, { id: 'a' }] });
    expect(inputs).toEqual([{ id: 'a', type: 'promptString', password: false }]);
    expect(problems).toEqual(['the configuration: one of the inputs has no id']);
  });

  test.each([
    [{ type: 'local', command: ['deno', 'run'], args: ['a', 8080, true] }, ['deno', 'run', 'a', '8080', 'true']],
    [{ transport: 'STDIO', command: 'C:\\Program Files\\x.exe', args: [] }, ['C:\\Program Files\\x.exe']],
    [{ type: 'stdio', url: 'https://h', command: 'a b; c $(d)' }, ['a b; c $(d)']],
  ])('a program: %j', (entry, command) => {
    expect(parseConfig({ mcpServers: { x: entry } }).servers['x']).toEqual({ type: 'stdio', name: 'x', command });
  });

  test.each([
    [{ serverUrl: 'https://h/mcp' }],
    [{ uri: 'https://h/mcp' }],
    [{ type: 'streamable-http', url: 'https://h/mcp' }],
    [{ type: 'streamableHttp', url: 'https://h/mcp', command: 'x' }],
    [{ transport: 'streamable_http', url: 'https://h/mcp' }],
  ])('an address: %j', (entry) => {
    const { x } = parseConfig({ mcpServers: { x: entry } }).servers;
    expect(x).toEqual({ type: 'http', name: 'x', url: 'https://h/mcp' });
  });

  test('env, cwd and disabled', () => {
    const entry = { command: 'x', env: { A: 'a', PORT: 1 }, cwd: '/w', disabled: true };
    expect(parseConfig({ mcpServers: { x: entry } }).servers['x']).toEqual({
      type: 'stdio',
      name: 'x',
      command: ['x'],
      env: { A: 'a', PORT: '1' },
      cwd: '/w',
      disabled: true,
    });
  });

  test.each([
    [{}, 'it has neither a command nor a url'],
    ['npx', 'it is not an object'],
    [{ type: 'foo', command: 'x' }, 'its type is none that is known (stdio, http)'],
    [{ type: 'constructor', command: 'x' }, 'its type is none that is known (stdio, http)'],
    [{ type: 7, command: 'x' }, 'its type is none that is known (stdio, http)'],
    [{ type: 'sse', url: 'https://h/sse' }, 'servers of type sse are not supported yet'],
    [{ type: 'ws', url: 'ws://h' }, 'servers of type ws are not supported yet'],
    [{ type: 'stdio', url: 'https://h' }, 'it is of type stdio, and has no command'],
    [{ type: 'http', command: 'x' }, 'it is of type http, and has no url'],
    [{ command: 'x', url: 'https://h' }, 'it has both a command and a url: say which by "type"'],
    [{ command: '' }, 'its command is no text, or an empty one'],
    [{ command: {} }, 'its command is no text, or an empty one'],
    [{ command: 'x', args: [{}] }, 'its args are not a list of texts'],
    [{ command: 'x', env: { A: 's3cret', B: null } }, 'its env is not an object of texts'],
    [{ command: 'x', env: ['s3cret'] }, 'its env is not an object of texts'],
    [{ command: 'x', cwd: 1 }, 'its cwd is no text'],
    [{ command: 'x', envFile: 1 }, 'its envFile is no text'],
    [{ url: 'ftp://s3cret@h' }, 'its url does not begin with http'],
    [{ url: 8 }, 'its url is no text'],
    [{ url: 'https://h', headers: { a: ['s3cret'] } }, 'its headers are not an object of texts'],
  ])('left out: %j', (entry, problem) => {
    expect(problemOf(entry)).toBe(problem);
  });

  test('one bad server does not cost the others', () => {
    const { servers, problems } = parseConfig({ mcpServers: { bad: {}, good: { command: 'x' }, note: 1 } });
    expect(Object.keys(servers)).toEqual(['good']);
    expect(problems).toHaveLength(2);
  });

  test('a server may have any name', () => {
    const { servers } = parseConfig('{"mcpServers":{"__proto__":{"command":"x","env":{"__proto__":"y"}}}}');
    expect(Object.keys(servers)).toEqual(['__proto__']);
    expect(Object.entries(Object.entries(servers)[0]?.[1] ?? {})).toContainEqual(['name', '__proto__']);
    expect(({} as { command?: unknown }).command).toBeUndefined();
  });

  test('both lists, none, or a list that is none are told', () => {
    const both = parseConfig({ mcpServers: { a: { command: 'x' } }, servers: { b: { command: 'x' } } });
    expect(Object.keys(both.servers)).toEqual(['a']);
    expect(both.problems).toHaveLength(1);
    expect(parseConfig({ theme: 'dark' })).toMatchObject({
      servers: {},
      problems: ['the configuration: it has neither mcpServers nor servers'],
    });
    expect(parseConfig({ mcpServers: 7 }).problems).toEqual(['the configuration: mcpServers is not an object']);
    expect(Object.keys(parseConfig({ servers: [{ command: 'x' }] }).servers)).toEqual(['0']);
  });

  test('what is not JSON is refused with file and line, and not quoted', () => {
    const bad = '{\n  "mcpServers": {\n    "a": { "env": { "T": "s3cret" "U": 1 } }\n}}';
    const read = (): unknown => parseConfig(bad, { source: '/home/me/.mcp.json' });
    expect(read).toThrow(ArgumentError);
    expect(read).toThrow('/home/me/.mcp.json, line 3, column 35: not JSON: a comma or } is expected');
    expect(() => parseConfig('"text"', { source: 'f' })).toThrow('f: neither an object nor an array');
  });

  test('a text of 1 MiB is taken, one more character is not', () => {
    const space = ' '.repeat(1024 * 1024 - 2);
    expect(parseConfig(`{}${space}`).servers).toEqual({});
    expect(() => parseConfig(`{}${space} `)).toThrow(ArgumentError);
  });
});
