import type { Page } from '@playwright/test';
import { vectors } from '../../../web/src/screens/testing/html-vectors.ts';
import { dana, expect, test } from '../../specification/visit.ts';
import type { Visit } from '../../specification/visit.ts';

// Attacks and faults, S06: texts of the service that can contain HTML, with and without the CSP.

const vectorsAtOnce = 6;

/** Records traces of a successful attack: requests in `requestedUrls`, and what the payloads write to `attacked`. */
async function prepare(
  page: Page,
  requestedUrls: string[],
  hasPolicy: boolean,
  service: string,
): Promise<void> {
  await page.addInitScript(() => Reflect.set(globalThis, 'attacked', []));
  page.on('request', (request) => {
    if (!request.url().startsWith(service)) requestedUrls.push(request.url());
  });
  await page.route(
    (url) => !url.href.startsWith(service),
    async (route) => route.abort(),
  );
  if (hasPolicy) return;
  await page.route('**/ui/account/login*', async (route) => {
    const response = await route.fetch();
    const { 'content-security-policy': _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
}

/** The elements of the service's text with their attributes; browsers serialise `is` even after its removal. */
const allowed =
  /^(?:(?:a|b|br|em|i|li|ol|p|strong|ul)(?: is=)?|a href=https?:\/\/\S* rel=noopener noreferrer target=_blank)$/;

async function elementsOf(page: Page, place: string): Promise<string[]> {
  return page
    .locator(place)
    .evaluate((words) =>
      [...words.querySelectorAll('*')].map((element) =>
        [
          element.localName,
          ...[...element.attributes].map(({ name, value }) => `${name}=${value}`).toSorted(),
        ].join(' '),
      ),
    );
}

async function expectNoHarm(page: Page, requestedUrls: readonly string[], html: string): Promise<void> {
  expect(await page.evaluate(() => Reflect.get(globalThis, 'attacked') as unknown), html).toEqual([]);
  expect(requestedUrls, html).toEqual([]);
  // no property of the document is clobbered by an element of the same name
  expect(await page.locator('#root').count(), html).toBe(1);
}

async function signInAgain(visit: Visit, page: Page): Promise<void> {
  await page.locator('main input[name="password"]:visible').last().fill('x');
  const name = visit.field('userName');
  if ((await name.inputValue()) === '') await name.fill(dana);
  await visit.submit();
}

for (const hasPolicy of [true, false])
  test(`hostile HTML in the message of a failed sign-in is reduced to the listed tags, ${hasPolicy ? 'with the CSP' : 'without a CSP'} [S06]`, async ({
    page,
    visit,
    scripted,
    noise,
  }) => {
    const requestedUrls: string[] = [];
    await prepare(page, requestedUrls, hasPolicy, scripted.urls.service);
    await visit.open();
    await visit.step('credentials');
    // the sanitiser's unit test checks them one by one; here several are in one message
    for (let index = 0; index < vectors.length; index += vectorsAtOnce) {
      const html = vectors.slice(index, index + vectorsAtOnce).join(' ');
      scripted.script.fail('authenticate', 'internal_error', { description: `before ${index}: ${html}` });
      await signInAgain(visit, page);
      await expect(visit.notice('error'), html).toContainText(`before ${index}:`);
      const elements = await elementsOf(page, '[data-notification="error"] [dir="auto"]');
      expect(
        elements.filter((element) => !allowed.test(element)),
        html,
      ).toEqual([]);
      await expectNoHarm(page, requestedUrls, html);
    }
    // the page still works
    scripted.script.answer('authenticate', { status: 'second_factor_required' });
    await signInAgain(visit, page);
    await visit.step('second-factor-required');
    // the CSP reports what it refused while the sanitiser removed it
    noise.splice(0);
  });

test('hostile HTML in an error record is reduced to the listed tags, and the address of the error page shows no text [S06]', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  const requestedUrls: string[] = [];
  await prepare(page, requestedUrls, true, scripted.urls.service);
  const html = vectors.join('\n');
  scripted.script.answer('getErrorMessage', { error: html, errorDescription: `before ${html}` });
  // uses only the vectors that fit into an address
  const some = vectors.slice(0, 30).join('');
  await visit.open('/home/error', { query: { errorId: 'e-1', error: some, error_description: some } });
  await visit.step('error');
  const words = 'main [dir="auto"]:has-text("before")';
  await expect(page.locator(words)).toBeVisible();
  expect((await elementsOf(page, words)).filter((element) => !allowed.test(element))).toEqual([]);
  await expectNoHarm(page, requestedUrls, 'all of them');

  // without a record the page shows no part of the address, neither as HTML nor as text
  scripted.script.fail('getErrorMessage', 'not_found');
  await visit.open('/home/error', {
    query: { errorId: 'e-1', error: html, error_description: 'canary words' },
  });
  await visit.step('error');
  expect(await visit.shown()).not.toContain('canary');
  await expectNoHarm(page, requestedUrls, 'all of them');
  noise.splice(0);
});
