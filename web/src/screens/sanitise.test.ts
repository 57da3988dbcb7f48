import { build } from 'vite';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vectors } from './testing/html-vectors.ts';

/**
 * Tests the sanitiser in a real browser, because only a browser's parser shows how an attack is interpreted: once with
 * the product's content security policy, once without.
 */
const strictPolicy =
  "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types dompurify";
const origin = 'https://anteroom.test';

declare global {
  interface Window {
    sanitise: (html: string) => string;
    attacked: string[];
  }
}

let browser: Browser;
let sanitiser: string;

beforeAll(async () => {
  const entry = new URL('./sanitise.ts', import.meta.url).pathname;
  const output = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'sanitiser' } },
  });
  const [bundle] = Array.isArray(output) ? output : [output];
  if (!bundle || !('output' in bundle)) throw new Error('The sanitiser gave no bundle');
  sanitiser = `${bundle.output[0].code}; window.sanitise = sanitiser.sanitise; window.attacked = [];`;
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
}, 60_000);
afterAll(() => browser?.close());

/** A page with only the sanitiser. Its network requests are recorded and blocked. */
async function openPage(policy: string | undefined): Promise<{ page: Page; requestedUrls: string[] }> {
  const page = await browser.newPage();
  const requestedUrls: string[] = [];
  await page.route('**', async (route) => {
    const { pathname, href } = new URL(route.request().url());
    if (href === `${origin}/`)
      return route.fulfill({
        contentType: 'text/html',
        headers: policy ? { 'Content-Security-Policy': policy } : {},
        body: '<!doctype html><title>t</title><div id="root"></div><script src="/sanitise.js"></script>',
      });
    if (pathname === '/sanitise.js')
      return route.fulfill({ contentType: 'text/javascript', body: sanitiser });
    requestedUrls.push(href);
    return route.abort();
  });
  await page.goto(`${origin}/`);
  return { page, requestedUrls };
}

/** Renders the sanitised text, waits two animation frames so that an attack could run, and returns the page's elements. */
function show(page: Page, html: string): Promise<{ elements: string[]; attacked: string[]; text: string }> {
  return page.evaluate(async (untrusted) => {
    const place = document.getElementById('root') ?? document.body;
    place.innerHTML = window.sanitise(untrusted);
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const elements = [...place.querySelectorAll('*')].map((element) =>
      [
        element.localName,
        ...[...element.attributes].map(({ name, value }) => `${name}=${value}`).toSorted(),
      ].join(' '),
    );
    return { elements, attacked: window.attacked, text: place.textContent };
  }, html);
}

/**
 * Browsers serialise a removed `is` attribute; an empty one names no element (HTML standard, "serializing HTML
 * fragments").
 */
const allowed =
  /^(?:(?:a|b|br|em|i|li|ol|p|strong|ul)(?: is=)?|a href=https?:\/\/\S* rel=noopener noreferrer target=_blank)$/;

describe.each([
  ['under the CSP', strictPolicy],
  ['without a CSP', undefined],
])('%s', (_, policy) => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    opened = await openPage(policy);
  });

  test.each(vectors)('nothing in %j runs, and only allowed tags remain [8.19, S06]', async (html) => {
    const { elements, attacked } = await show(opened.page, html);
    expect(attacked).toEqual([]);
    expect(elements.filter((element) => !allowed.test(element))).toEqual([]);
    expect(opened.requestedUrls).toEqual([]);
    expect(opened.page.url()).toBe(`${origin}/`);
  });

  test('allowed tags remain with their text [8.19]', async () => {
    const { elements, text } = await show(
      opened.page,
      '<p>One <b>b</b> <strong>s</strong> <i>i</i> <em>e</em><br></p><ul><li>u</li></ul><ol><li>o</li></ol><h1 class="x" id="y">head</h1>',
    );
    expect(elements).toEqual(['p', 'b', 'strong', 'i', 'em', 'br', 'ul', 'li', 'ol', 'li']);
    expect(text).toBe('One b s i euohead');
  });

  test('a web link opens in a separate context', async () => {
    const { elements } = await show(
      opened.page,
      '<a href="https://help.example/?error-code=7" onclick="attacked.push(1)" style="x" target="_top">help</a>',
    );
    expect(elements).toEqual([
      'a href=https://help.example/?error-code=7 rel=noopener noreferrer target=_blank',
    ]);
  });
});

test('the content security policy rejects a string and accepts the sanitiser’s trusted type [S11]', async () => {
  const { page } = await openPage(strictPolicy);
  const refused = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<b>plain</b>';
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toBe(true);
});
