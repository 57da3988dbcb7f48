// npm run e2e [file or -g words]: the browser journeys alone, with what Playwright says as it goes.
// npm run e2e -- --accept [-g words]: the pictures as they are now become the record that later ones are compared with.
import { requireChromium } from './chromium.ts';
import { runCommand } from './command.ts';
import { buildFrontEndWhenStale } from './front-end.ts';

const chromium = await requireChromium();
await buildFrontEndWhenStale();
const args = process.argv.slice(2).filter((argument) => argument !== '--accept');
const isAccepting = args.length < process.argv.length - 2;
const { exitCode } = await runCommand(
  'playwright',
  ['test', '--config', 'e2e/playwright.config.ts', ...(isAccepting ? ['pictures/'] : []), ...args],
  { env: { CHROMIUM: chromium, ...(isAccepting ? { ACCEPT_PICTURES: 'true' } : {}) }, show: true },
);
process.exitCode = exitCode;
