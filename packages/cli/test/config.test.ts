import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { candidates } from '../src/config.ts';
import { serveDemo } from './fixtures/demo-http.ts';
import { runInProcess } from './fixtures/in-process.ts';
import type { WorldOptions } from './fixtures/in-process.ts';
import { scriptedPerson } from './fixtures/questions.ts';
import { demoCommand } from './fixtures/run.ts';

const [node, ...script] = demoCommand;

const url = await serveDemo();
const folder = mkdtempSync(join(tmpdir(), 'hawser-config-'));

beforeAll(() => {
  write('project/.mcp.json', {
    mcpServers: {
      demo: { command: node, args: script, env: { API_TOKEN: 'hunter2-${TOKEN:-none}' } },
      remote: {
        type: 'http',
        url: `${url}?key=q-s3cr3t`,
        headers: { Authorization: 'Bearer ${TOKEN}', 'X-Team': 'blue' },
      },
      broken: { args: ['x'] },
      off: { command: 'node', disabled: true },
      deceiving: { url: 'https://me:hunter2@host/mcp' },
    },
  });
  write('project/.vscode/mcp.json', {
    inputs: [
      { id: 'key', type: 'promptString', description: 'Your key', password: true },
      { id: 'team', type: 'pickString', options: ['red', 'blue'] },
    ],
    servers: {
      hidden: { url: `${url}/\${TOKEN}/\${input:key}` },
      asks: { url, headers: { 'X-Key': '${input:key}', 'X-Team': '${input:team}' } },
      demo: { command: 'never-used' },
    },
  });
  write('home/.config/Claude/claude_desktop_config.json', {
    mcpServers: { desk: { command: 'npx', args: ['-y', 's3cr3t'] } },
  });
  mkdirSync(join(folder, 'project/deep/er'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

function hawser(argv: readonly string[], options: WorldOptions = {}) {
  return runInProcess(argv, { cwd: join(folder, 'project/deep/er'), home: join(folder, 'home'), ...options });
}

describe('where configuration files are looked for', () => {
  const surroundings = { cwd: '/a/b', home: '/home/me', platform: 'linux', environment: {}, uid: 1 } as const;

  test('from the working directory upwards, then Claude Desktop’s', () => {
    expect(candidates(surroundings)).toEqual([
      '/a/b/.mcp.json',
      '/a/b/.vscode/mcp.json',
      '/a/.mcp.json',
      '/a/.vscode/mcp.json',
      '/.mcp.json',
      '/.vscode/mcp.json',
      '/home/me/.config/Claude/claude_desktop_config.json',
    ]);
  });

  test.each<[NodeJS.Platform, Record<string, string>, RegExp]>([
    ['darwin', {}, /^\/home\/me\/Library\/Application Support\/Claude\//],
    ['win32', { APPDATA: '/roaming' }, /^\/roaming\/Claude\//],
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, /^\/xdg\/Claude\//],
  ])('on %s', (platform, environment, path) => {
    expect(candidates({ ...surroundings, platform, environment }).at(-1)).toMatch(path);
  });
});

test.runIf(process.platform !== 'win32')('a file of another user is left out, unless it is named', async () => {
  write('shared/.mcp.json', { mcpServers: { theirs: { command: node, args: script } } });
  const file = join(folder, 'shared/.mcp.json');
  const self = process.getuid?.() ?? 0;
  // Only root can give a file away; anybody else takes the part of the other user.
  if (self === 0) chownSync(file, 4242, 4242);
  const world = { cwd: join(folder, 'shared'), uid: self === 0 ? 0 : self + 1 };
  const { stdout, stderr } = await hawser(['servers'], world);
  expect(stdout).not.toContain('theirs');
  expect(stderr).toContain('belongs to another user');
  expect((await hawser(['ping', '--server', 'theirs'], world)).exitCode).toBe(2);
  expect((await hawser(['ping', '--server', 'theirs', '--config', file], world)).exitCode).toBe(0);
});

describe('servers', () => {
  test('lists them by file, secrets masked, problems on standard error', async () => {
    const { exitCode, stdout, stderr } = await hawser(['servers']);
    expect(stdout).toContain(`${join(folder, 'project/.mcp.json')}\n  demo  stdio `);
    expect(stdout).toMatch(/^ {2}remote {2}http http:\/\/127\.0\.0\.1:\d+\/mcp\?….*Authorization=\[secret\]/m);
    expect(stdout).toMatch(/^ {2}off .*\(disabled\)$/m);
    expect(stdout).toMatch(/^ {2}desk {2}stdio npx … \(2 arguments\)$/m);
    expect(stdout).not.toContain('never-used');
    expect(stderr).toMatch(/^warning: .*server "broken" is left out/);
    expect(stdout + stderr).not.toMatch(/hunter2|s3cr3t/);
    expect(exitCode).toBe(0);
  });

  test('--json', async () => {
    const { stdout } = await hawser(['servers', '--json', '--config', '../../.mcp.json']);
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [
        { name: 'demo', type: 'stdio', disabled: false, file: join(folder, 'project/.mcp.json') },
        { name: 'remote', type: 'http' },
        { name: 'off', disabled: true },
        { name: 'deceiving' },
      ],
      problems: [expect.stringContaining('broken')],
      files: [join(folder, 'project/.mcp.json')],
    });
    expect(stdout).not.toMatch(/hunter2|s3cr3t/);
  });

  test('none at all', async () => {
    expect(await hawser(['servers'], { cwd: join(folder, 'home'), home: '/nonexistent' })).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringContaining('no servers are configured') as string,
    });
  });
});

describe('--server', () => {
  test('starts a command of the configuration', async () => {
    const { exitCode, stdout } = await hawser(['call', '--server', 'demo', 'echo', 'text=hi']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'hi\n' });
  });

  test('connects to a URL with the headers of the configuration, masked wherever they show up', async () => {
    const env = { TOKEN: 't0k3n-abc' };
    const { exitCode, stdout, stderr } = await hawser(['tools', '--server', 'remote', '--verbose'], { env });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('"method":"tools/list"');
    expect(stdout + stderr).not.toMatch(/t0k3n|q-s3cr3t|blue/);
  });

  test('[BUG-163] a variable that is not set is named with its field, and nothing is sent', async () => {
    const { exitCode, stdout, stderr } = await hawser(['tools', '--server', 'remote']);
    expect(stderr).toMatch(/^hawser: server "remote": headers\.Authorization needs the variable TOKEN/);
    expect(stderr).not.toMatch(/Bearer|blue|q-s3cr3t/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  test('errors name it', async () => {
    const { stderr } = await hawser(['read', '--server', 'demo', 'memo://none']);
    expect(stderr).toMatch(/^ {2}at demo \(.*node …\), revision 2026-07-28 \(modern\)$/m);
    expect(stderr).toMatch(/hint: hawser resources --server demo lists what can be read/);
  });

  test.each<[string, string[], RegExp]>([
    [
      'a name that is close',
      ['dmo'],
      /no server is called "dmo"; there are \d+ servers in 3 files\n {2}hint: did you mean demo\?/,
    ],
    ['a name far off', ['zzzzzz'], /no server is called "zzzzzz".*\n {2}hint: hawser servers lists them/],
    ['one that is broken', ['broken'], /the server "broken" cannot be used: .*is left out/],
    ['one that is off', ['off'], /the server "off" is disabled in .*\.mcp\.json/],
    ['credentials in the URL', ['deceiving'], /the URL of the server "deceiving" holds credentials/],
    [
      'a file that is not there',
      ['demo', '--config', 'no.json'],
      /cannot read the configuration .*no\.json \(ENOENT\)/,
    ],
  ])('%s is wrong usage', async (_, words, message) => {
    const { exitCode, stderr } = await hawser(['tools', '--server', ...words]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/hunter2/);
    expect(exitCode).toBe(2);
  });

  test('a file that is no JSON is named with the line', async () => {
    write('bad/.mcp.json', '{\n  "mcpServers": {,}\n}');
    const { exitCode, stderr } = await hawser(['tools', '--server', 'x', '--config', join(folder, 'bad/.mcp.json')]);
    expect(stderr).toMatch(/bad\/\.mcp\.json, line 2/);
    expect(exitCode).toBe(2);
  });

  test('what the file leaves to the person is asked, passwords hidden', async () => {
    const person = scriptedPerson(['k3y-typed', 'blue']);
    const { exitCode, stderr } = await hawser(['ping', '--server', 'asks', '--verbose'], {
      questions: person.questions,
    });
    expect(exitCode).toBe(0);
    expect(person.asked).toMatchObject([
      { how: 'secret', message: 'Your key' },
      { how: 'choose', message: 'team', choices: ['red', 'blue'] },
    ]);
    expect(stderr).not.toMatch(/k3y-typed/);
  });

  test('what was filled into a URL is masked', async () => {
    const { questions } = scriptedPerson(['k3y-typed']);
    const { exitCode, stderr } = await hawser(['ping', '--server', 'hidden'], {
      questions,
      env: { TOKEN: 't0k3n-abc' },
    });
    expect(stderr).toMatch(/at hidden \(http:\S+\/mcp\/\[secret\]\/\[secret\]\)/);
    expect(exitCode).toBe(3);
  });

  test('without a terminal that is exit code 6', async () => {
    const { exitCode, stderr } = await hawser(['ping', '--server', 'asks']);
    expect(stderr).toMatch(/asks for "key", "team"\n {2}hint: run it in a terminal/);
    expect(exitCode).toBe(6);
  });
});
