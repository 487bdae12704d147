// The library as a program: started by a client, which speaks to it over stdin and stdout.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveStdio } from 'hawser/node';
import { library } from './library.ts';

serveStdio(library(process.argv[2] ?? join(tmpdir(), 'hawser-notes.md')));
