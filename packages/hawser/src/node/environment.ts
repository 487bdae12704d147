/** What a started program inherits of this process's environment: what programs need to run, and no secrets. */
const inherited = {
  posix: ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  windows: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'NUMBER_OF_PROCESSORS',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
} as const;

/**
 * The environment of a program: the few variables it inherits from `parent`, and its `own`, which win. On Windows
 * names differ in case and are the same all the same.
 */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>> = {},
  platform: string = process.platform,
): Record<string, string> {
  const windows = platform === 'win32';
  const same = windows ? (name: string) => name.toUpperCase() : (name: string) => name;
  const allowed = new Set<string>(windows ? inherited.windows : inherited.posix);
  for (const name of Object.keys(own)) allowed.delete(same(name));
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    // A value of this form is an exported shell function: code, not data.
    if (allowed.has(same(name)) && value !== undefined && !value.startsWith('()')) env[name] = value;
  }
  return { ...env, ...own };
}
