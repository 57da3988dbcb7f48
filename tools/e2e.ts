// npm run e2e [file or -g words]: the browser journeys alone, with what Playwright says as it goes.
import { requireChromium } from './chromium.ts';
import { runCommand } from './command.ts';
import { buildFrontEndWhenStale } from './front-end.ts';

const chromium = await requireChromium();
await buildFrontEndWhenStale();
const { exitCode } = await runCommand(
  'playwright',
  ['test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)],
  { env: { CHROMIUM: chromium }, show: true },
);
process.exitCode = exitCode;
