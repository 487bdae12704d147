import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../base/errors.ts';
import { describeServer } from './describe.ts';
import { expand, type Sources } from './expand.ts';
import { resolveServer } from './resolve.ts';
import type { ServerConfig } from './types.ts';

const env = { SET: 'value', EMPTY: '', NESTED: '${SET}', 'ProgramFiles(x86)': 'C:\\P' };

function expanded(text: string, sources: Sources = { env }): string {
  const problems: string[] = [];
  const result = expand(text, sources, (problem) => problems.push(problem));
  return problems.length === 0 ? result : `! ${problems.join('; ')}`;
}

describe('placeholders', () => {
  test.each([
    ['plain', 'plain'],
    ['a${SET}b${SET}', 'avaluebvalue'],
    ['${env:SET}', 'value'],
    ['${env:ProgramFiles(x86)}', 'C:\\P'],
    ['${EMPTY}', ''],
    ['${EMPTY:-d}', 'd'],
    ['${SET:-d}', 'value'],
    ['${UNSET:-}', ''],
    ['${UNSET:-http://a:1/}', 'http://a:1/'],
    ['${env:UNSET:-d}', 'd'],
    ['${NESTED}', '${SET}'],
    ['$SET $$ $', '$SET $$ $'],
    ['$${SET} ${SET}', '${SET} value'],
    ['${UNSET}', '! needs the variable UNSET, which is not set'],
    ['${env:UNSET}', '! needs the variable UNSET, which is not set'],
    ['${toString}', '! needs the variable toString, which is not set'],
    ['${', '! has a ${ without a }'],
    ['${SET', '! has a ${ without a }'],
    ['${A${B}}', '! has a ${ without a }'],
    ['${}', '! has a placeholder that cannot be read'],
    ['${a b}', '! has a placeholder that cannot be read'],
    ['${sk-s3cret}', '! has a placeholder that cannot be read'],
    ['${config:x}', '! has a placeholder that cannot be read'],
    ['${input:id}', '! needs the input "id", which has no answer'],
    ['${workspaceFolder}', '! needs the workspace folder'],
    ['${userHome}', '! needs the home folder'],
  ])('%s', (text, result) => {
    expect(expanded(text)).toBe(result);
  });

  test('inputs and folders', () => {
    const sources = { inputs: { id: '${SET}' }, workspaceFolder: '/w', home: '/home/me', env };
    expect(expanded('${input:id} ${workspaceFolder}/x ${userHome}', sources)).toBe('${SET} /w/x /home/me');
    expect(expanded('${input:id}', { inputs: (id) => id.toUpperCase() })).toBe('ID');
    expect(expanded('${input:toString}', sources)).toMatch('no answer');
  });

  test('a text full of beginnings takes no time', () => {
    expect(expanded('${'.repeat(200_000))).toMatch('has a ${ without a }');
    expect(expanded(`\${${'a:'.repeat(200_000)}`)).toMatch('has a ${ without a }');
    expect(expanded(`\${${'a:-'.repeat(200_000)}}`)).toHaveLength(599_997);
  });
});

const stdio: ServerConfig = {
  type: 'stdio',
  name: 's',
  command: ['${SET}', '-x', 'a${SET}'],
  env: { TOKEN: '${SET}', __proto__: '' },
  cwd: '${workspaceFolder}',
};
const http: ServerConfig = {
  type: 'http',
  name: 'h',
  url: 'https://${SET}/mcp?k=${SET}',
  headers: { Authorization: 'Bearer ${SET}' },
};

/** What Node prints. */
function inspected(value: object): string {
  const inspect: unknown = Reflect.get(value, Symbol.for('nodejs.util.inspect.custom'));
  return typeof inspect === 'function' ? String(inspect.call(value)) : JSON.stringify(value);
}

const shown = (value: { toString(): string }): string => value.toString();

describe('resolveServer', () => {
  test('gives what to connect to, each time anew', () => {
    expect(resolveServer(stdio, { env, workspaceFolder: '/w' }).target).toEqual({
      command: ['value', '-x', 'avalue'],
      env: { TOKEN: 'value' },
      cwd: '/w',
    });
    const now = { SET: 'one' };
    expect(resolveServer(http, { env: now })).toEqual({
      target: { url: 'https://one/mcp?k=one', shownAs: 'https://one/mcp?…' },
      options: { transport: 'http', headers: { Authorization: 'Bearer one' } },
    });
    now.SET = 'two';
    expect(resolveServer(http, { env: now }).options.headers).toEqual({ Authorization: 'Bearer two' });
  });

  test('without placeholders it takes no sources', () => {
    expect(resolveServer({ type: 'stdio', name: 'x', command: ['a'] })).toEqual({
      target: { command: ['a'] },
      options: { transport: 'stdio' },
    });
  });

  test('what lacks a value is named, with server, field and variable, all at once', () => {
    const wants: ServerConfig = {
      type: 'stdio',
      name: 'x',
      command: ['${A}', 'b', '${B} ${SET}'],
      env: { C: '${SET}', D: '${D}' },
      envFile: '${E}',
      cwd: '${F}',
    };
    const needs = (field: string, name: string): string => `${field} needs the variable ${name}, which is not set`;
    const fields = { command: 'A', 'args[1]': 'B', 'env.D': 'D', envFile: 'E', cwd: 'F' };
    const all = Object.entries(fields).map(([field, name]) => needs(field, name));
    expect(() => resolveServer(wants, { env })).toThrow(new ArgumentError(`server "x": ${all.join('; ')}`));
    expect(() => resolveServer(http)).toThrow(
      `server "h": ${needs('url', 'SET')}; ${needs('headers.Authorization', 'SET')}`,
    );
  });

  test('an envFile is read, and env wins over it', () => {
    const file =
      '\uFEFF# of the file\nA=1 # one\nexport B="two\\n\\"2\\""\r\nC=\'t#ree\'\nD=a#b\nE=\n F = x y \nbad line\nTOKEN=f';
    const config = { ...stdio, envFile: '${SET}.env' };
    const paths: string[] = [];
    const readFile = (path: string): string => {
      paths.push(path);
      return file;
    };
    expect(resolveServer(config, { env, workspaceFolder: '/w', readFile }).target).toMatchObject({
      env: { A: '1', B: 'two\n"2"', C: 't#ree', D: 'a#b', E: '', F: 'x y', TOKEN: 'value' },
    });
    expect(paths).toEqual(['value.env']);
    expect(() => resolveServer(config, { env, workspaceFolder: '/w' })).toThrow('nothing to read files with');
    const large = (length: number) => (): string => `TOKEN=${'x'.repeat(length - 6)}`;
    expect(
      resolveServer({ ...config, env: {} }, { env, workspaceFolder: '/w', readFile: large(1_048_576) }),
    ).toBeDefined();
    expect(() => resolveServer(config, { env, workspaceFolder: '/w', readFile: large(1_048_577) })).toThrow(
      'server "s": envFile: larger than such a file may be (1048576 characters)',
    );
    const broken = (): string => {
      throw new Error('EACCES');
    };
    expect(() => resolveServer(config, { env, workspaceFolder: '/w', readFile: broken })).toThrow(
      'server "s": envFile cannot be read',
    );
  });

  test('printed, logged or serialized it shows no value, and neither do its parts', () => {
    const secrets = { SET: 's3cret', workspaceFolder: '/w' };
    for (const config of [stdio, http]) {
      const resolved = resolveServer(config, { env: secrets, workspaceFolder: '/w' });
      const { target, options } = resolved;
      const parts: object[] = [resolved, target, options, options.headers ?? {}];
      if ('command' in target) parts.push(target.env ?? {}, target.command);
      for (const part of parts) {
        for (const text of [inspected(part), JSON.stringify(part), shown(part)]) expect(text).not.toMatch('s3cret');
      }
      expect(shown(resolved)).toBe(describeServer(config));
    }
    const { target } = resolveServer(stdio, { env: secrets, workspaceFolder: '/w' });
    expect(JSON.stringify({ ...target })).not.toMatch('s3cret');
    expect('command' in target && [...target.command]).toEqual(['s3cret', '-x', 'as3cret']);
    // A copy, as a program's environment is made of it, has all that is needed and nothing else.
    expect(Object.entries({ ...('env' in target && target.env) })).toEqual([['TOKEN', 's3cret']]);
  });
});

describe('what messages call a URL', () => {
  const filled = { HOST: 'h.test', TOKEN: 's3cret', URL: 'https://h.test/s3cret/mcp', REST: '/s3cret', EMPTY: '' };
  test.each([
    ['https://h.test/plain', undefined],
    ['https://h.test/${TOKEN}/mcp?k=${TOKEN}', 'https://h.test/${TOKEN}/mcp?…'],
    ['https://${HOST}:8080/${TOKEN}', 'https://h.test:8080/${TOKEN}'],
    ['https://${HOST}', 'https://h.test'],
    ['${URL}', 'https://h.test/…'],
    ['https://h.test${REST}', 'https://h.test/…'],
    ['https://h.test/${NO:-a/b}/${TOKEN}', 'https://h.test/${NO:-a/b}/${TOKEN}'],
    ['https://h.test/@${TOKEN}/x', 'https://h.test/@${TOKEN}/x'],
    ['not a ${HOST}', undefined],
  ])('%s', (url, shownAs) => {
    const { target } = resolveServer({ type: 'http', name: 'x', url }, { env: filled });
    expect('url' in target && target.shownAs).toBe(shownAs);
    expect(shownAs ?? '').not.toMatch('s3cret');
  });
});

describe('describeServer', () => {
  test.each<[Partial<ServerConfig>, string]>([
    [stdio, 'stdio ${SET} … (2 arguments), env TOKEN=[secret], in ${workspaceFolder}'],
    [http, 'http https://${SET}/mcp?…, headers Authorization=[secret]'],
    [{ type: 'stdio', command: ['npx', 's3cret'], disabled: true }, 'stdio npx … (1 argument) (disabled)'],
    [{ type: 'stdio', command: ['npx -y x --token s3cret'] }, 'stdio npx…'],
    [{ type: 'stdio', command: ['npx'], envFile: '.env', env: {} }, 'stdio npx, envFile .env'],
    [{ type: 'http', url: 'https://me:s3cret@h/mcp#s3cret' }, 'http https://h/mcp'],
    [{ type: 'http', url: 'http://h/?s3cret' }, 'http http://h/?…'],
    [{ type: 'http', url: 'https://me:s3/cret@host/mcp' }, 'http https://…'],
    [{ type: 'http', url: 'https://me:s3?cret@host/mcp' }, 'http https://…'],
    [{ type: 'http', url: 'http://h/\u001b[31m' }, 'http http://h/\\x1b[31m'],
  ])('%j', (config, text) => {
    expect(describeServer({ name: 'x', ...config } as ServerConfig)).toBe(text);
  });
});
