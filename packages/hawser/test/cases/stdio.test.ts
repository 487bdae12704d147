/** Faults seen in the field on stdio. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/entry/index.node.ts';
import { byHand, failureOf, start, textOf } from '../support/stdio.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hawser-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

describe('a program that cannot be started', () => {
  const cases: [
    name: string,
    target: (path: string) => { command: [string, ...string[]]; cwd?: string },
    message: RegExp,
  ][] = [
    [
      'no such program',
      () => ({ command: ['no-such-mcp-binary'] }),
      /^"no-such-mcp-binary" could not be started: there is no such program on the PATH$/,
    ],
    [
      'no such program, in a folder that exists',
      (path) => ({ command: ['no-such-mcp-binary'], cwd: path }),
      /^"no-such-mcp-binary" could not be started in .*hawser-.*: there is no such program on the PATH$/,
    ],
    ['no such file', () => ({ command: ['./no/such/file'] }), /^"\.\/no\/such\/file" .*: there is no such file$/],
    [
      'no such folder',
      () => ({ command: ['node', '-e', '0'], cwd: '/nonexistent' }),
      /^"node" could not be started in \/nonexistent: the folder does not exist$/,
    ],
    [
      'a file for a folder',
      (path) => {
        writeFileSync(join(path, 'file'), '');
        return { command: ['node', '-e', '0'], cwd: join(path, 'file') };
      },
      /^"node" could not be started in .*file: that is no folder$/,
    ],
    [
      'a file that is not executable',
      (path) => {
        writeFileSync(join(path, 'script'), '#!/bin/sh\n');
        chmodSync(join(path, 'script'), 0o644);
        return { command: [join(path, 'script')] };
      },
      /script" could not be started: it is not executable$/,
    ],
    ['a folder for a program', (path) => ({ command: [path] }), /: it is not executable$/],
    [
      'an interpreter that is not there',
      (path) => {
        writeFileSync(join(path, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 });
        return { command: ['./script'], cwd: path };
      },
      /^"\.\/script" could not be started in .*: what it says to be run with is missing$/,
    ],
    ['arguments no system takes', () => ({ command: ['node', 'a\0b'] }), /^"node" could not be started: .*null bytes/],
  ];

  test.each(cases)('[BUG-005] %s', async (_, target, message) => {
    const failed = failureOf(connect(target(folder())));
    expect(await failed).toMatchObject({
      code: 'connection',
      origin: 'local',
      outcome: 'not-sent',
      message: expect.stringMatching(message),
      cause: expect.anything(),
    });
  });

  test('[BUG-005] an environment of one variable hides no program: the safe ones are still there', async () => {
    const client = await connect({ command: ['node', ...byHand().slice(1)], env: { API_KEY: 'x' } });
    onTestFinished(() => client.close());
    expect(client.isModern).toBe(true);
  });
});

describe('the environment of a program', () => {
  test.each([[undefined], [{}], [{ MY_KEY: '1' }]])(
    '[BUG-006 SEED-081 SEED-082] given %j, it sees that and the safe list',
    async (env) => {
      const planted = ['FAKE_CLOUD_SECRET', 'BASH_FUNC_x%%', 'https_proxy', 'NODE_EXTRA_CA_CERTS', 'NPM_TOKEN'];
      for (const name of planted) process.env[name] = name === 'BASH_FUNC_x%%' ? '() { :; }' : 's3cr3t';
      onTestFinished(() => {
        for (const name of planted) delete process.env[name];
      });
      const client = await connect({ command: byHand(), ...(env !== undefined && { env }) });
      onTestFinished(() => client.close());
      const seen = Object.keys(JSON.parse(await textOf(client, 'env')) as object);
      const safe = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];
      expect(seen).toContain('PATH');
      expect(seen.filter((name) => !safe.includes(name))).toEqual(Object.keys(env ?? {}));
    },
  );

  test('[SEED-080] a program that runs keeps the environment it was started with', async () => {
    const env = { TOKEN: 'first' };
    const client = await connect({ command: byHand(), env });
    onTestFinished(() => client.close());
    env.TOKEN = 'second';
    expect(JSON.parse(await textOf(client, 'env'))).toMatchObject({ TOKEN: 'first' });
  });
});

describe('what a program says besides messages', () => {
  const banner = 'Server v1.2 ready 🖥️\n\n   \n[INFO] loading\n';
  const noise = '"just a string"\n42\nnull\n[]\n{"level":"info","msg":"json log"}\r\n\t\r\n{"half": \n';

  test.each(['modern', 'legacy'])(
    '[BUG-009 SEED-090] a %s server with banners and log lines on stdout is understood',
    async (era) => {
      const client = await start({ era, first: banner, before: noise });
      expect(await client.listTools()).toEqual([]);
      expect(await textOf(client, 'echo', { text: 'x' })).toBe('x');
    },
  );
});
