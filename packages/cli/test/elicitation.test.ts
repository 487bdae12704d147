import { describe, expect, test } from 'vitest';
import { serveDemo } from './fixtures/demo-http.ts';
import { runInProcess as hawser } from './fixtures/in-process.ts';
import { scriptedPerson } from './fixtures/questions.ts';
import { demoCommand } from './fixtures/run.ts';

const url = await serveDemo();

const eras = ['2026-07-28', '2025-11-25'];
const page = 'https://auth.example.com/start?state=abc';

describe.each(eras)('a form of the server (%s)', (protocol) => {
  const order = (...more: string[]) => ['call', url, 'order', '--protocol', protocol, ...more];

  test('[ELI-015] is asked of the person, and the call goes on', async () => {
    const person = scriptedPerson(['Ada', '3', 'Yes', 'large', 'Send']);
    const { exitCode, stdout, stderr } = await hawser(order(), { questions: person.questions });
    expect(JSON.parse(stdout)).toEqual({ name: 'Ada', boxes: 3, gift: true, size: 'large' });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(person.asked[0]?.message).toMatch(/^Demo server[^\n]* asks:\n {2}What shall be sent\?/);
    expect(person.asked[0]?.message).toContain(new URL(url).host);
  });

  test.each(['Decline', 'Cancel'])('[ELI-015] %s is told to the server', async (way) => {
    const { exitCode, stdout, stderr } = await hawser(order('--verbose'), {
      questions: scriptedPerson([undefined, way]).questions,
    });
    expect(stderr).toContain(`"action":"${way.toLowerCase()}"`);
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain('name');
  });

  test('is answered with --answer where nobody can be asked', async () => {
    const { exitCode, stdout, stderr } = await hawser(order('--answer', 'name=Ada', '--answer', 'size=small'));
    expect(JSON.parse(stdout)).toEqual({ name: 'Ada', boxes: 1, gift: false, size: 'small' });
    expect(stderr).toMatch(/^Demo server.* asks "What shall be sent\?": answered with name, boxes, gift, size\n$/);
    expect(exitCode).toBe(0);
  });

  test('nobody to ask and no answers: exit code 6, with what to write', async () => {
    const { exitCode, stdout, stderr } = await hawser(order());
    expect(stderr.split('\n')).toEqual([
      'hawser: the server asks "What shall be sent?", and there is no terminal to answer at',
      expect.stringMatching(new RegExp(`^ {2}at http.*, revision ${protocol}`)),
      "  hint: give the answers: --answer name='…' --answer size='small'",
      '',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
  });

  test('too few answers: those that lack are named', async () => {
    const { exitCode, stderr } = await hawser(order('--answer', 'name=Ada'));
    expect(stderr).toMatch(/the answers do not say: size\n/);
    expect(exitCode).toBe(6);
  });

  test('an answer that does not fit is wrong usage', async () => {
    const { exitCode, stderr } = await hawser(order('--answer', 'name=A', '--answer', 'size=small'));
    expect(stderr).toMatch(/^hawser: --answer name: at least 2 characters/);
    expect(exitCode).toBe(2);
  });

  test('--json gives the failure as one document', async () => {
    const { stdout } = await hawser(order('--json'));
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unanswered', exitCode: 6 } });
  });

  test('what was typed into a hidden field shows up nowhere else', async () => {
    const person = scriptedPerson(['s3cr3t-typed', 'Send']);
    const { stdout, stderr } = await hawser(['call', url, 'login', '--protocol', protocol, '--verbose'], {
      questions: person.questions,
    });
    expect(stdout).toBe('a password of 12 characters\n');
    expect(stderr).toContain('"password":"[secret]"');
    expect(stderr + person.shown()).not.toContain('s3cr3t-typed');
  });
});

describe.each(eras)('[ELI-016] a page of the server (%s)', (protocol) => {
  const visit = (...more: string[]) => ['call', url, 'visit', '--protocol', protocol, ...more];
  const goOn = protocol === '2026-07-28' ? ['Go on'] : [];

  test('is shown whole with its host, and opened on consent', async () => {
    const person = scriptedPerson(['Yes', ...goOn]);
    const { stdout, opened, exitCode } = await hawser(visit(), { questions: person.questions });
    expect(person.shown()).toContain(`\n  ${page}\n`);
    expect(person.shown()).toContain('Host: auth.example.com');
    expect(opened).toEqual([page]);
    // Where the request is sent again at once, it waits until the person has been there.
    expect(person.shown().includes('Done there?')).toBe(protocol === '2026-07-28');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'the person said accept\n' });
  });

  test.each([
    ['No', 'decline'],
    ['Cancel', 'cancel'],
  ])('%s: it is not opened, and the server is told', async (answer, action) => {
    const { stdout, opened } = await hawser(visit(), { questions: scriptedPerson([answer]).questions });
    expect(opened).toEqual([]);
    expect(stdout).toBe(`the person said ${action}\n`);
  });

  test('--no-open opens nothing', async () => {
    const { stdout, opened } = await hawser(visit('--no-open'), {
      questions: scriptedPerson(['Yes, I open it myself', ...goOn]).questions,
    });
    expect(opened).toEqual([]);
    expect(stdout).toBe('the person said accept\n');
  });

  test('nobody to ask: exit code 6, with the address, and nothing is opened', async () => {
    const { exitCode, stderr, opened } = await hawser(visit());
    expect(stderr).toContain(`asks you to go to ${page}, and there is no terminal`);
    expect(opened).toEqual([]);
    expect(exitCode).toBe(6);
  });
});

test('over stdio as well', async () => {
  const { stdout } = await hawser(
    ['call', 'order', '--answer', 'name=Ada', '--answer', 'size=small', '--protocol', 'legacy', '--', ...demoCommand],
    {},
  );
  expect(JSON.parse(stdout)).toMatchObject({ name: 'Ada' });
});
