import { defineConfig } from '@playwright/test';
import { findChromium, journeyFlags } from '../tools/chromium.ts';

const executablePath = findChromium();

export default defineConfig({
  // journeys: a user's goal, mostly with the whole product; specification: the rules of the front end, with a scripted service;
  // pictures: every screen looks like its accepted picture
  testMatch: ['{journeys,specification,pictures}/**/*.journey.ts'],
  outputDir: '../test-results',
  // each worker runs a browser and the whole product, so two cores suffice for two workers
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // no retries: a journey that passes only sometimes fails
  retries: 0,
  // generous limits, so that journeys do not fail on a slow machine
  timeout: 600_000,
  expect: {
    timeout: 60_000,
    // 32 pixels are less than one letter
    toHaveScreenshot: { threshold: 0.01, maxDiffPixels: 32 },
  },
  snapshotPathTemplate: '{testDir}/pictures/record/{arg}{ext}',
  // `npm test` reads the JSON report; `dot` prints the failures at the end
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? [['dot'], ['json']] : [['line']],
  use: {
    browserName: 'chromium',
    launchOptions: { args: [...journeyFlags], ...(executablePath ? { executablePath } : {}) },
    locale: 'en-GB',
    // a tablet: rendering a larger page takes more CPU time
    viewport: { width: 1024, height: 768 },
    // a separate journey tests animations
    contextOptions: { reducedMotion: 'reduce' },
    // a trace takes a fifth of the CPU time; `npm run e2e <file> -- --trace on` records one
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
