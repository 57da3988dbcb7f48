import type { Page } from '@playwright/test';
import { vectors } from '../../../web/src/screens/testing/html-vectors.ts';
import { dana, expect, test } from '../../specification/visit.ts';
import type { Visit } from '../../specification/visit.ts';

// Attacks and faults, S06: words of the service that may be HTML, in the running product, with the content policy and without.

const vectorsAtOnce = 6;

/** What an attack would have left behind; the vectors write to `attacked`. */
async function prepare(page: Page, asked: string[], hasPolicy: boolean, service: string): Promise<void> {
  await page.addInitScript(() => Reflect.set(globalThis, 'attacked', []));
  page.on('request', (request) => {
    if (!request.url().startsWith(service)) asked.push(request.url());
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

/** The elements of the service's words, each with its attributes; a browser writes `is` back however it is removed. */
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

async function expectNoHarm(page: Page, asked: readonly string[], html: string): Promise<void> {
  expect(await page.evaluate(() => Reflect.get(globalThis, 'attacked') as unknown), html).toEqual([]);
  expect(asked, html).toEqual([]);
  // nothing of the page is replaced by a thing of the same name
  expect(await page.locator('#root').count(), html).toBe(1);
}

async function signInAgain(visit: Visit, page: Page): Promise<void> {
  await page.locator('main input[name="password"]:visible').last().fill('x');
  const name = visit.field('userName');
  if ((await name.inputValue()) === '') await name.fill(dana);
  await visit.submit();
}

for (const hasPolicy of [true, false])
  test(`S06: of hostile HTML in the words of a failed sign-in only the listed tags are left, ${hasPolicy ? 'under the content policy' : 'without a content policy'}`, async ({
    page,
    visit,
    scripted,
    noise,
  }) => {
    const asked: string[] = [];
    await prepare(page, asked, hasPolicy, scripted.urls.service);
    await visit.open();
    await visit.step('credentials');
    // one by one they are looked at beside the sanitiser; here several at once, as a service would say them
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
      await expectNoHarm(page, asked, html);
    }
    // and the page still does what it is for
    scripted.script.answer('authenticate', { status: 'second_factor_required' });
    await signInAgain(visit, page);
    await visit.step('second-factor-required');
    // the policy says what it refused while it was being taken out
    noise.splice(0);
  });

test('S06: the same of an error record, and of addresses that bring an error along themselves', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  const asked: string[] = [];
  await prepare(page, asked, true, scripted.urls.service);
  const html = vectors.join('\n');
  scripted.script.answer('getErrorMessage', { error: html, errorDescription: `before ${html}` });
  // an address has room for some of them
  const some = vectors.slice(0, 30).join('');
  await visit.open('/home/error', { query: { errorId: 'e-1', error: some, error_description: some } });
  await visit.step('error');
  const words = 'main [dir="auto"]:has-text("before")';
  await expect(page.locator(words)).toBeVisible();
  expect((await elementsOf(page, words)).filter((element) => !allowed.test(element))).toEqual([]);
  await expectNoHarm(page, asked, 'all of them');

  // without a record nothing of what the address says is shown, as HTML or as words
  scripted.script.fail('getErrorMessage', 'not_found');
  await visit.open('/home/error', {
    query: { errorId: 'e-1', error: html, error_description: 'canary words' },
  });
  await visit.step('error');
  expect(await visit.shown()).not.toContain('canary');
  await expectNoHarm(page, asked, 'all of them');
  noise.splice(0);
});
