// npm run e2e [file or -g words]: runs the browser journeys with Playwright's output and options; `pictures/
// --update-snapshots` records the current pictures as the reference for later comparisons. npm run e2e --
// --every-language [-g words]: tests every state in every language and both colour schemes.
import { requireChromium } from './chromium.ts';
import { runCommand } from './command.ts';
import { buildFrontEndWhenStale } from './front-end.ts';

const chromium = await requireChromium();
await buildFrontEndWhenStale();
const options = process.argv.slice(2);
const isInEveryLanguage = options.includes('--every-language');
const args = options.filter((argument) => argument !== '--every-language');
const folders = isInEveryLanguage ? ['journeys/accessibility'] : [];
const { exitCode } = await runCommand(
  'playwright',
  ['test', '--config', 'e2e/playwright.config.ts', ...folders, ...args],
  {
    env: {
      CHROMIUM: chromium,
      ...(isInEveryLanguage ? { EVERY_LANGUAGE: 'true' } : {}),
    },
    show: true,
  },
);
process.exitCode = exitCode;
