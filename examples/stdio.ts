// A stdio server: started by a client, which speaks to it over stdin and stdout.
import { serveStdio } from 'hawser/node';
import server from './forecast.ts';

serveStdio(server);
