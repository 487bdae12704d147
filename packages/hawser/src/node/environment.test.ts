import { describe, expect, test } from 'vitest';
import { childEnvironment } from './environment.ts';

/** What must stay here, in the spellings it has in the field. */
const secrets = {
  HTTPS_PROXY: 'x',
  HTTP_PROXY: 'x',
  ALL_PROXY: 'x',
  NO_PROXY: 'x',
  https_proxy: 'x',
  http_proxy: 'x',
  all_proxy: 'x',
  no_proxy: 'x',
  NODE_EXTRA_CA_CERTS: 'x',
  NODE_OPTIONS: 'x',
  NODE_ENV: 'x',
  npm_config_registry: 'x',
  NPM_TOKEN: 'x',
  SECRET_KEY_BASE: 'x',
  OPENAI_API_KEY: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  DATABASE_URL: 'x',
  LD_PRELOAD: 'x',
  SSH_AUTH_SOCK: 'x',
  'BASH_FUNC_x%%': '() { :; }',
};

const posix = { HOME: '/h', LOGNAME: 'l', PATH: '/bin', SHELL: '/bin/sh', TERM: 't', USER: 'u', LANG: 'C', TZ: 'UTC' };

describe('on POSIX', () => {
  test('[SEED-081 SEED-082 SEED-083] a short list is inherited, and nothing else', () => {
    const env = childEnvironment({ ...secrets, ...posix }, undefined, 'linux');
    // The names only: a failure must not show values.
    expect(Object.keys(env).toSorted()).toEqual(Object.keys(posix).toSorted());
    expect(env).toEqual(posix);
  });

  test('what is given is added, and wins', () => {
    const env = childEnvironment({ ...secrets, ...posix }, { MY_KEY: '1', PATH: '/own', NODE_ENV: 'test' }, 'linux');
    expect(env).toEqual({ ...posix, MY_KEY: '1', PATH: '/own', NODE_ENV: 'test' });
  });

  test('names differ in case', () => {
    const env = childEnvironment({ PATH: '/bin', Path: '/other', path: '/third' }, { home: '/h' }, 'linux');
    expect(env).toEqual({ PATH: '/bin', home: '/h' });
  });

  test('an exported shell function is not handed on, whatever it is called', () => {
    expect(childEnvironment({ PATH: '() { echo; }', HOME: '/h' }, {}, 'darwin')).toEqual({ HOME: '/h' });
  });

  test('what is not set is not there', () => {
    expect(childEnvironment({ PATH: undefined }, {}, 'linux')).toEqual({});
  });
});

describe('on Windows', () => {
  const parent = {
    Path: 'C:\\bin',
    SystemRoot: 'C:\\Windows',
    PATHEXT: '.EXE',
    TEMP: 't',
    AppData: 'a',
    ComSpec: 'cmd',
  };

  test('[SEED-084] its own list, in any case, spelled as it was', () => {
    expect(childEnvironment({ ...secrets, ...parent, SHELL: 'x' }, {}, 'win32')).toEqual(parent);
  });

  test('[SEED-084] what is given replaces what is inherited under a name in another case', () => {
    const env = childEnvironment(parent, { PATH: 'D:\\own', systemroot: 'D:\\' }, 'win32');
    expect(env).toEqual({
      PATHEXT: '.EXE',
      TEMP: 't',
      AppData: 'a',
      ComSpec: 'cmd',
      PATH: 'D:\\own',
      systemroot: 'D:\\',
    });
  });
});
