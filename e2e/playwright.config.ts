import { defineConfig } from '@playwright/test';
import { findChromium, journeyFlags } from '../tools/chromium.ts';

const executablePath = findChromium();

export default defineConfig({
  // journeys: what a person wants, mostly through the whole product; specification: what the front end owes to any identity service
  // pictures: that every screen looks as it was accepted
  testMatch: ['{journeys,specification,pictures}/**/*.journey.ts'],
  outputDir: '../test-results',
  // a worker is a browser and a whole product; two cores carry two
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // a journey that holds only sometimes does not hold
  retries: 0,
  // these end what hangs; a machine that is slow is no fault
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // `npm test` counts with the JSON report; `dot` prints the failures last, where they are read
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? [['dot'], ['json']] : [['line']],
  use: {
    browserName: 'chromium',
    launchOptions: { args: [...journeyFlags], ...(executablePath ? { executablePath } : {}) },
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    // what moves is looked at in a journey of its own
    contextOptions: { reducedMotion: 'reduce' },
    // a trace costs a fifth of the processor's time; `npm run e2e <file> -- --trace on` records one for whoever looks into a failure
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
