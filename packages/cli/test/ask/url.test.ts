import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { lookAt } from '../../src/ask/address.ts';
import { askUrl } from '../../src/ask/url.ts';
import { scriptedPerson } from '../fixtures/questions.ts';

describe('an address', () => {
  test.each<[string, readonly string[]]>([
    ['https://auth.example.com/a?b=c#d', ['https://', 'auth.example.com', '/a?b=c#d']],
    ['https://example.com:8443/', ['https://', 'example.com:8443', '/']],
    ['https://bank.test@evil.test/bank.test', ['https://bank.test@', 'evil.test', '/bank.test']],
    ['https://evil.test:evil.test@evil.test/', ['https://evil.test:evil.test@', 'evil.test', '/']],
    ['http://[::1]:80/x', ['http://', '[::1]', '/x']],
  ])('%s: its host set apart', (url, parts) => {
    expect(lookAt(url)?.parts).toEqual(parts);
    expect(lookAt(url)?.href).toBe(parts.join(''));
  });

  test.each<[string, RegExp[]]>([
    ['https://example.com/', []],
    ['http://localhost:3000/', []],
    ['http://127.0.0.1/', []],
    ['https://xn--e1awd7f.com/', [/Punycode/]],
    ['https://аррӏе.com/', [/it reads "аррӏе\.com" \(Punycode\)/]],
    ['https://bank.test@evil.test/', [/the page is at evil\.test/]],
    ['http://example.com/', [/not encrypted/]],
    ['javascript:alert(1)', [/no web address \(javascript:\)/]],
    ['file:///etc/passwd', [/no web address \(file:\)/]],
  ])('%s: warnings', (url, warnings) => {
    const found = lookAt(url)?.warnings ?? ['none'];
    expect(found).toHaveLength(warnings.length);
    warnings.forEach((warning, index) => expect(found[index]).toMatch(warning));
  });

  test('letters beyond ASCII and control characters are never shown raw', () => {
    expect(lookAt('https://аррӏе.com/\x1b[2Jé')?.href).toBe('https://xn--80ak6aa92e.com/%1B[2J%C3%A9');
    expect(lookAt('data:\x1bx')?.href).not.toContain('\x1b');
  });

  test('what is none', () => {
    expect(lookAt('not an address')).toBeUndefined();
  });
});

describe('[ELI-016] a page to go to', () => {
  const request = { message: 'Sign in \x1b[2J', url: 'https://auth.example.com/start?state=1' };
  const setUp = (
    answers: (string | undefined)[],
    options: { waits?: boolean; noOpen?: boolean; failure?: string } = {},
  ) => {
    const person = scriptedPerson(answers);
    const opened: string[] = [];
    const open = (href: string) => {
      opened.push(href);
      return Promise.resolve(options.failure);
    };
    return {
      person,
      opened,
      ask: (url = request.url) =>
        askUrl(
          { ...request, url },
          {
            questions: person.questions,
            who: 'demo',
            paint: picocolors.createColors(false),
            open: options.noOpen === true ? undefined : open,
            waits: options.waits === true,
          },
        ),
    };
  };

  test('the whole address, its host, who asks; opened after the consent only', async () => {
    const { person, opened, ask } = setUp(['Yes']);
    expect(await ask()).toBe('accept');
    expect(opened).toEqual([request.url]);
    expect(person.shown()).toContain('demo asks you to go to a web page:\n  Sign in \\x1b[2J\n');
    expect(person.shown()).toContain(`\n  ${request.url}\n`);
    expect(person.shown()).toContain('\nHost: auth.example.com\n');
    expect(person.asked.at(-1)?.initial).toMatch(/^No/);
  });

  test.each<[string | undefined, string]>([
    ['No', 'decline'],
    ['Cancel', 'cancel'],
    [undefined, 'cancel'],
  ])('%s: nothing is opened', async (answer, action) => {
    const { opened, ask } = setUp([answer]);
    expect(await ask()).toBe(action);
    expect(opened).toEqual([]);
  });

  test('a host of look-alike letters is warned of', async () => {
    const { person, ask } = setUp(['No']);
    await ask('https://аррӏе.com/');
    expect(person.shown()).toContain('https://xn--80ak6aa92e.com/');
    expect(person.shown()).toContain('Warning: the host has letters beyond ASCII');
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'vscode://x'])('%s cannot be opened', async (url) => {
    const { person, opened, ask } = setUp(['No']);
    expect(await ask(url)).toBe('decline');
    expect(person.asked.at(-1)?.choices).toEqual([expect.stringMatching(/^No/), expect.stringMatching(/^Cancel/)]);
    expect(opened).toEqual([]);
  });

  test('what is no address is declined', async () => {
    expect(await setUp([]).ask('nonsense')).toBe('decline');
  });

  test('--no-open shows it and asks for consent all the same', async () => {
    const { person, opened, ask } = setUp(['Yes, I open it myself'], { noOpen: true });
    expect(await ask()).toBe('accept');
    expect(opened).toEqual([]);
    expect(person.shown()).toContain(request.url);
  });

  test('a browser that does not open is said, with the address', async () => {
    const { person, ask } = setUp(['Yes'], { failure: 'no xdg-open' });
    expect(await ask()).toBe('accept');
    expect(person.asked.at(-1)?.message).toBe(
      `It could not be opened (no xdg-open). Open it yourself:\n  ${request.url}`,
    );
  });

  test.each<[string | undefined, string]>([
    ['Go on', 'accept'],
    ['Cancel', 'cancel'],
    [undefined, 'cancel'],
  ])('[ELI-011] where the request is sent again, it waits for the person: %s', async (answer, action) => {
    const { ask } = setUp(['Yes', answer], { waits: true });
    expect(await ask()).toBe(action);
  });
});
