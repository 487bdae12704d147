import { describe, expect, test } from 'vitest';
import { runInProcess as hawser } from './fixtures/in-process.ts';

const url = 'http://127.0.0.1:9/mcp';

describe('help and version', () => {
  test.each([[['--help']], [[]], [['help']]])('%j prints help with examples', async (args) => {
    const { exitCode, stdout, stderr } = await hawser(args);
    expect(stdout).toContain('hawser tools -- npx -y some-server --flag');
    expect(stdout).toContain('--header-env');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test.each([[['call', '--help']], [['help', 'call']]])('%j explains the arguments of a tool', async (args) => {
    const { exitCode, stdout } = await hawser(args);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('key:=json');
    expect(stdout).toContain('--timeout <time>');
  });

  test('--version prints the version', async () => {
    expect(await hawser(['--version'])).toMatchObject({ exitCode: 0, stdout: '0.0.0-test\n', stderr: '' });
  });
});

describe('wrong usage is exit code 2, at most three lines, and no stack', () => {
  test.each<[string, string[], RegExp]>([
    ['an unknown command', ['tool', url], /unknown command 'tool'\n {2}hint: did you mean tools/],
    ['a URL first', [url], /the command comes first/],
    ['an unknown option', ['tools', url, '--jsn'], /unknown option '--jsn'\n {2}hint: did you mean --json/],
    ['an option without its value', ['tools', url, '--header'], /argument missing/],
    ['no server', ['tools'], /no server is named/],
    ['two servers', ['tools', url, '--', 'node'], /both a URL and a command/],
    ['a word too many', ['discover', url, 'more'], /"more" is too much/],
    ['no tool', ['call', url], /no tool is named/],
    ['--args and key=value', ['call', url, 'echo', 'a=1', '--args', '{}'], /--args gives all arguments/],
    ['--args that is no object', ['call', url, 'echo', '--args', '[]'], /not a JSON object/],
    ['a bad timeout', ['tools', url, '--timeout', 'soon'], /--timeout wants a time/],
    ['a bad protocol', ['tools', url, '--protocol', 'newest'], /--protocol has an unknown value/],
    ['a header for a command', ['tools', '--header', 'A: b', '--', 'node'], /--header is for HTTP/],
    ['two words for stdin', ['call', url, 'echo', '-', 'a=1'], /- takes all arguments/],
    ['no resource', ['read', url], /no resource is named\n {2}hint: hawser resources/],
    ['two resources', ['read', url, 'a:b', 'c:d'], /"c:d" is too much/],
    ['bytes and JSON', ['read', url, 'a:b', '--json', '--output', 'x'], /--output writes the bytes/],
    ['no prompt', ['prompt', url], /no prompt is named/],
    ['a bad level', ['tools', url, '--log-level', 'loud'], /--log-level has an unknown value/],
    ['an answer to nothing', ['tools', url, '--answer', 'yes'], /--answer has no field/],
    ['--server and a URL', ['tools', url, '--server', 'x'], /both a URL and --server/],
    ['--server and a command', ['tools', '--server', 'x', '--', 'node'], /both --server and a command/],
    ['--config alone', ['tools', url, '--config', 'x.json'], /no server of it/],
    ['a variable for a URL', ['tools', url, '--env', 'A=b'], /--env is for a server that is started/],
  ])('%s', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await hawser(args);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: args.includes('--json') ? stdout : '' });
  });

  test('--json gives the error as one document too', async () => {
    const { exitCode, stdout } = await hawser(['tools', '--json']);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'usage', exitCode: 2, message: 'no server is named' } });
  });
});
