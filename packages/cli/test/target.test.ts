import { describe, expect, test } from 'vitest';
import { retype, showTarget, splitAtDashes, takeTarget } from '../src/target.ts';
import { UsageError } from '../src/usage-error.ts';

describe('splitAtDashes', () => {
  test('the command begins after the first --, later ones are its own', () => {
    expect(splitAtDashes(['call', 'echo', '--', 'npx', 'x', '--', '--json'])).toEqual({
      own: ['call', 'echo'],
      command: ['npx', 'x', '--', '--json'],
    });
    expect(splitAtDashes(['tools', 'https://h/mcp'])).toEqual({ own: ['tools', 'https://h/mcp'], command: undefined });
  });
});

const many = { most: Infinity };

describe('takeTarget', () => {
  test('the first word is the server when it is a URL', () => {
    const { target, rest } = takeTarget(['HTTPS://host/mcp', 'echo', 'text=hi'], undefined, undefined, many);
    expect(target).toEqual({ kind: 'url', url: new URL('https://host/mcp') });
    expect(rest).toEqual(['echo', 'text=hi']);
  });

  test('otherwise the command after --', () => {
    const { target, rest } = takeTarget(['echo', 'link=https://host/'], ['node', 'server.js'], undefined, many);
    expect(target).toEqual({ kind: 'command', command: ['node', 'server.js'] });
    expect(rest).toEqual(['echo', 'link=https://host/']);
  });

  test('or the one that --server names', () => {
    expect(takeTarget(['echo', 'a=1'], undefined, 'files', many)).toEqual({
      target: { kind: 'named', name: 'files' },
      rest: ['echo', 'a=1'],
    });
  });

  test('where a word may be an address itself, it is one when the server is named otherwise', () => {
    const one = { most: 1, mayBeUrl: true };
    expect(takeTarget(['https://a/b'], ['node'], undefined, one).rest).toEqual(['https://a/b']);
    expect(takeTarget(['https://a/b'], undefined, 'files', one).rest).toEqual(['https://a/b']);
    expect(takeTarget(['https://a/mcp', 'https://a/b'], undefined, undefined, one).rest).toEqual(['https://a/b']);
    expect(() => takeTarget(['https://a/mcp', 'https://a/b'], ['node'], undefined, one)).toThrow(/both a URL and/);
  });

  test('--server with something else is wrong usage', () => {
    expect(() => takeTarget(['https://a/b'], undefined, 'files', many)).toThrow(/both a URL and --server/);
    expect(() => takeTarget([], ['node'], 'files', many)).toThrow(/both --server and a command/);
  });

  test.each<[string, string[], string[] | undefined, RegExp]>([
    ['neither', [], undefined, /no server is named/],
    ['a command without --', ['node', 'server.js'], undefined, /no server is named/],
    ['both', ['https://host/mcp'], ['node'], /both a URL and a command/],
    ['an empty command', ['echo'], [], /no command follows/],
    ['a broken URL', ['https://'], undefined, /not well-formed/],
    ['a URL with a password', ['https://me:hunter2@host/mcp'], undefined, /holds credentials$/],
    ['a URL without slashes', ['https:host/mcp'], undefined, /not well-formed/],
  ])('%s is wrong usage', (_, words, command, message) => {
    const take = () => takeTarget(words, command, undefined, many);
    expect(take).toThrow(UsageError);
    expect(take).toThrow(message);
  });

  test.each([
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['example.com/mcp', 'https://example.com/mcp'],
  ])('%s hints at %s', (word, url) => {
    expect(() => takeTarget([word], undefined, undefined, many)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(url) }),
    );
  });
});

describe('showing a server', () => {
  test('an address loses its query', () => {
    const url = new URL('https://host:8443/mcp?key=hunter2#x');
    expect(showTarget({ kind: 'url', url })).toBe('https://host:8443/mcp?…');
  });

  test('a command loses its arguments', () => {
    expect(showTarget({ kind: 'command', command: ['npx', 'server', '--token', 'hunter2'] })).toBe('npx …');
  });

  test('a name of the configuration stands before it, and is how to name it again', () => {
    const target = { kind: 'command', command: ['npx', 'x'], name: 'files' } as const;
    expect(showTarget(target)).toBe('files (npx …)');
    expect(retype('read', target, '<uri>')).toBe('hawser read --server files <uri>');
  });

  test('a hint names it where it belongs', () => {
    expect(retype('tools', { kind: 'url', url: new URL('http://h/mcp') })).toBe('hawser tools http://h/mcp');
    expect(retype('tools', { kind: 'command', command: ['node', 'a.js'] })).toBe('hawser tools -- node …');
  });
});
