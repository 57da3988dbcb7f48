// npm run e2e [file or -g words]: runs the browser journeys with Playwright's output. npm run e2e -- --accept [-g
// words]: records the current pictures as the reference for later comparisons. npm run e2e -- --every-language [-g
// words]: tests every state in every language and both colour schemes.
import { requireChromium } from './chromium.ts';
import { runCommand } from './command.ts';
import { buildFrontEndWhenStale } from './front-end.ts';

const chromium = await requireChromium();
await buildFrontEndWhenStale();
const options = process.argv.slice(2);
const isAccepting = options.includes('--accept');
const isInEveryLanguage = options.includes('--every-language');
const args = options.filter((argument) => argument !== '--accept' && argument !== '--every-language');
const folders = [
  ...(isAccepting ? ['pictures/'] : []),
  ...(isInEveryLanguage ? ['journeys/accessibility'] : []),
];
const { exitCode } = await runCommand(
  'playwright',
  ['test', '--config', 'e2e/playwright.config.ts', ...folders, ...args],
  {
    env: {
      CHROMIUM: chromium,
      ...(isAccepting ? { ACCEPT_PICTURES: 'true' } : {}),
      ...(isInEveryLanguage ? { EVERY_LANGUAGE: 'true' } : {}),
    },
    show: true,
  },
);
process.exitCode = exitCode;
