/** The command in a real terminal, answered with keys. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { serveDemo } from './fixtures/demo-http.ts';
import { demoCommand } from './fixtures/run.ts';
import { closeTerminals, hasTmux, openTerminal } from './fixtures/terminal.ts';

const url = await serveDemo();
const folder = mkdtempSync(join(tmpdir(), 'hawser-terminal-'));

afterAll(() => {
  closeTerminals();
  rmSync(folder, { recursive: true });
});

describe.skipIf(!hasTmux()).concurrent('[service] in a real terminal (tmux)', { timeout: 60_000 }, () => {
  test.each(['2026-07-28', '2025-11-25'])('[ELI-015] a form is filled in with keys (%s)', async (protocol) => {
    const terminal = openTerminal(['call', url, 'order', '--protocol', protocol]);
    await terminal.shows(/Demo server \(http:\/\/127\.0\.0\.1:\d+\/mcp\) asks:\n {2}What shall be sent\?/);
    await terminal.shows(/Name \[text, at least 2 characters\]/);
    terminal.type('A');
    terminal.press('Enter');
    await terminal.shows(/at least 2 characters\n/);
    terminal.type('da');
    terminal.press('Enter');
    await terminal.shows(/Boxes \[a whole number, 1 to 9\]/);
    terminal.press('BSpace');
    terminal.type('3');
    terminal.press('Enter');
    await terminal.shows(/Gift wrap/);
    terminal.press('Up', 'Enter');
    await terminal.shows(/small\n.*large/);
    terminal.press('Down', 'Enter');
    await terminal.shows(/Your answers:\n {2}Name: Ada\n {2}Boxes: 3\n {2}Gift wrap: yes\n {2}Size: large\n/);
    await terminal.shows(/Send this to the server\?/);
    terminal.press('Enter');
    await terminal.shows(/\[end\]/);
    expect(terminal.screen()).toMatch(
      /\{"boxes":3,"gift":true,"name":"Ada","size":"large"\}\n\[exit 0\]\nicanon echo \[end\]/,
    );
    terminal.close();
  });

  test('[ELI-015] Escape offers to decline', async () => {
    const terminal = openTerminal(['call', 'order', '--', ...demoCommand]);
    await terminal.shows(/Name \[/);
    terminal.press('Escape');
    await terminal.shows(/Leave the form\?/);
    terminal.press('Down', 'Enter');
    await terminal.shows(/\[exit 1\]/);
    terminal.close();
  });

  test('a secret is not echoed, and the terminal echoes again afterwards', async () => {
    const terminal = openTerminal(['call', url, 'login']);
    await terminal.shows(/Warning: it asks for what looks like a secret \(Password\)/);
    await terminal.shows(/Password \[text; hidden\]|Password \[hidden\]/);
    terminal.type('hunter2-typed');
    terminal.press('Enter');
    await terminal.shows(/Password: \[hidden\]/);
    await terminal.shows(/Send this to the server\?/);
    terminal.press('Enter');
    await terminal.shows(/a password of 13 characters\n\[exit 0\]\nicanon echo \[end\]/);
    expect(terminal.screen()).not.toContain('hunter2');
    terminal.close();
  });

  test('Ctrl-C at a question ends the command, which says so with 130', async () => {
    const terminal = openTerminal(['call', 'order', '--', ...demoCommand]);
    await terminal.shows(/Name \[/);
    terminal.press('C-c');
    await terminal.shows(/hawser: interrupted\n\[exit 130\]\nicanon echo \[end\]/);
    terminal.close();
  });

  test('[ELI-016] a page is opened on consent, and only then', async () => {
    const opener = join(folder, 'xdg-open');
    writeFileSync(opener, `#!/bin/sh\nprintf '%s' "$1" > '${folder}/opened'\n`);
    chmodSync(opener, 0o755);
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const declined = openTerminal(['call', url, 'visit'], env);
    await declined.shows(/Host: auth\.example\.com/);
    await declined.shows(/Open this page in your browser\?/);
    declined.press('Enter');
    await declined.shows(/the person said decline\n\[exit 0\]/);
    expect(existsSync(join(folder, 'opened'))).toBe(false);
    declined.close();
    const accepted = openTerminal(['call', url, 'visit'], env);
    await accepted.shows(/https:\/\/auth\.example\.com\/start\?state=abc/);
    await accepted.shows(/Open this page in your browser\?/);
    accepted.press('Down', 'Enter');
    await accepted.shows(/Done there\?/);
    expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe('https://auth.example.com/start?state=abc');
    accepted.press('Enter');
    await accepted.shows(/the person said accept\n\[exit 0\]/);
    accepted.close();
  });

  test('progress is one live line, gone at the end', async () => {
    const terminal = openTerminal(['call', url, 'wait']);
    await terminal.shows(/^1 of 3 \(33 %\) {2}pid \d+$/m);
    terminal.press('C-c');
    await terminal.shows(/\[exit 130\]/);
    expect(terminal.screen()).not.toMatch(/1 of 3/);
    terminal.close();
  });

  test('bytes are not written to it', async () => {
    const terminal = openTerminal(['read', url, 'memo://logo']);
    await terminal.shows(/hint: add --output FILE\n\[exit 2\]/);
    terminal.close();
  });
});
