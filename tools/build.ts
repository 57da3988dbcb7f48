// npm run build: builds the front end as static files in web/dist, for any web server.
import { buildFrontEnd } from './front-end.ts';

try {
  await buildFrontEnd();
  process.stdout.write('The front end is in web/dist: serve that folder as /ui/.\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
