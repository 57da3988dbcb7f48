// npm run build: builds the front end and the console as static files, for any web server.
import { buildFrontEnd } from './front-end.ts';

try {
  await buildFrontEnd();
  process.stdout.write(
    'The front end is in web/dist: serve that folder as /ui/. The console is in console/dist: serve it as /console/.\n',
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
