import { startTestProduct } from '@anteroom/testkit';
import type { Product } from '@anteroom/testkit';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import { findViolations } from '../../fixtures/accessibility.ts';
import { arriveAt } from '../../fixtures/arrive.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test as base } from '../../fixtures/test.ts';

// The page contains the form of the first screen. It is usable before the application has loaded, which then hydrates it
// and keeps the visitor's input.

/** Without passkeys, whose button and list load after the application. */
let started: Product;
const test = base.extend<{ product: Product }>({
  product: async ({}, use) => use(started),
});
test.beforeAll(async () => {
  started = await startTestProduct({ PASSKEY_RP_ID: '' });
});
test.afterAll(async () => started.close());

/**
 * Opens a first screen without the application, or only without some of its files. The returned function loads them and
 * waits for the application.
 */
async function openHeld(
  page: Page,
  { demo }: Product,
  site?: string,
  files = '*.js',
): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  await page.route(`**/ui/assets/app/${files}`, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(`${demo.url}/go/sign-in${site === undefined ? '' : `?site=${site}`}`, {
    waitUntil: 'commit',
  });
  const shell = page.locator('#root[data-shell]');
  await expect(shell.locator('main form')).toBeVisible();
  // The mark is lost if React creates a new element.
  await shell.locator('main').evaluate((main) => main.setAttribute('data-mark', ''));
  return async () => {
    gate.resolve();
    await expect(shell).toHaveCount(0);
    await expect(page.locator('main')).toHaveAttribute('data-mark');
  };
}

/** Keeps a sign-in from leaving the page, until the returned function is called. */
async function holdSignIn(page: Page): Promise<() => void> {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/authenticate', async (route) => {
    await mayAnswer;
    await route.continue();
  });
  return answer;
}

const userName = (page: Page) => page.getByRole('textbox', { name: words('login.userName') });
const password = (page: Page) => page.getByLabel(words('login.password'), { exact: true });

test('input, focus and selection stay', async ({ page, product }) => {
  const release = await openHeld(page, product, 'harbor');
  await expect(userName(page)).toBeFocused();
  await expect(page.locator('[data-splash]')).toBeHidden();
  await expect(page).toHaveTitle(/Sign in/);
  await page.keyboard.type('ada.byron');
  await page.keyboard.press('Tab');
  await expect(password(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await release();
  await expect(userName(page)).toBeFocused();
  await page.keyboard.type('A');
  await expect(userName(page)).toHaveValue('Ada.byron');
});

test('a focus outside the form stays', async ({ page, product }) => {
  const release = await openHeld(page, product, 'harbor');
  const support = page.locator('footer [data-action="privacy-policy"]');
  await support.focus();
  await release();
  await expect(support).toBeFocused();
});

test('a submission shows progress at once and is sent when the application has loaded', async ({
  page,
  product,
}) => {
  const release = await openHeld(page, product, 'harbor');
  const answer = await holdSignIn(page);
  await userName(page).fill(demoUsers.secretary);
  await password(page).fill(demoPassword);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const button = page.locator('main button[type="submit"]');
  await expect(button.locator('span').first()).toHaveCSS('opacity', '0');
  expect(new URL(page.url()).searchParams.has('password')).toBe(false);
  await release();
  answer();
  await arriveAt(page, `${product.demo.url}/`);
});

test('a submission of an empty form shows its message without progress', async ({ page, product }) => {
  const release = await openHeld(page, product);
  await page.getByRole('button', { name: words('common.continue') }).click();
  await release();
  await expect(page.getByText(words('site.errors.siteRequired'))).toBeVisible();
  const button = page.locator('main button[type="submit"]');
  await expect(button.locator('span').first()).toHaveCSS('opacity', '1');
});

test('the password is shown at once, and the language menu opens when the application has loaded', async ({
  page,
  product,
}) => {
  const release = await openHeld(page, product, 'harbor');
  await password(page).fill('secret');
  await page.getByRole('button', { name: words('password.show') }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: words('footer.languages') }).click();
  await release();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await expect(page.getByRole('button', { name: words('password.hide') })).toBeVisible();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('input[name="password"]')).toHaveValue('secret');
});

test('a password that is shown and hidden again is hidden when the application has loaded', async ({
  page,
  product,
}) => {
  const release = await openHeld(page, product, 'harbor');
  const show = page.locator('[data-action="show-password"]');
  await show.click();
  await show.click();
  await expect(password(page)).toHaveAttribute('type', 'password');
  await release();
  await expect(password(page)).toHaveAttribute('type', 'password');
});

test('nothing that a visitor does early is lost while React is held back', async ({ page, product }) => {
  const release = await openHeld(page, product, 'harbor', 'react-*.js');
  await userName(page).fill(demoUsers.secretary);
  await password(page).fill(demoPassword);
  await page.getByRole('button', { name: words('password.show') }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await password(page).press('Enter');
  const button = page.locator('main button[type="submit"]');
  await expect(button.locator('span').first()).toHaveCSS('opacity', '0');
  const answer = await holdSignIn(page);
  await release();
  answer();
  await arriveAt(page, `${product.demo.url}/`);
});

test('a submission of a page whose application cannot be loaded says so, and the next one loads the page again, with the name that was typed', async ({
  page,
  product,
  noise,
}) => {
  let documents = 0;
  page.on('request', (request) => (documents += request.isNavigationRequest() ? 1 : 0));
  await page.goto(`${product.demo.url}/go/sign-in?site=harbor`);
  await page.route('**/ui/assets/app/*.js', (route) => (documents === 1 ? route.abort() : route.continue()));
  documents = 0;
  await page.reload({ waitUntil: 'commit' });
  await userName(page).fill(demoUsers.secretary);
  await password(page).fill(demoPassword);
  await password(page).press('Enter');
  await expect(page.getByText(words('error.serverUnreachable'))).toBeVisible();
  await expect(password(page)).toHaveValue(demoPassword);
  await password(page).press('Enter');
  await expect(page.locator('#root[data-shell]')).toHaveCount(0);
  await expect(userName(page)).toHaveValue(demoUsers.secretary);
  await expect(password(page)).toHaveValue('');
  noise.length = 0;
});

test('a page whose answers were late shows the form without the application, and makes each call once', async ({
  page,
  product,
}) => {
  const release = await openHeld(page, product, 'harbor');
  // The first visit has brought the address, at which only the first request of a navigation can be changed.
  await page.route(page.url(), async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replace(/<script [^>]*data-answers>.*?<\/script>/s, '');
    await route.fulfill({ response, body: html });
  });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.reload({ waitUntil: 'commit' });
  await page.locator('#root[data-shell] main').evaluate((main) => main.setAttribute('data-mark', ''));
  await userName(page).fill('ada');
  await release();
  await expect(userName(page)).toHaveValue('ada');
  const calls = requests.filter((path) => /^\/api\/ui\/auth|config\.json$|\/i18n\//.test(path));
  expect(calls.toSorted()).toEqual([
    '/api/ui/auth-context',
    '/api/ui/auth/settings/site',
    '/ui/assets/i18n/en-1.21.0.json',
    '/ui/config.json',
  ]);
});

test('“Change site” opens site entry', async ({ page, context, product }) => {
  await context.addCookies([{ name: 'anteroom_site', value: 'harbor', url: product.identity.url }]);
  const release = await openHeld(page, product);
  await page.locator('[data-action="back-to-site"]').click();
  await release();
  await expect(page.locator('main[data-step="site-entry"]')).toBeVisible();
});

test('the composition of Japanese input continues when the application takes over', async ({
  page,
  product,
}) => {
  const release = await openHeld(page, product);
  const input = await page.context().newCDPSession(page);
  await input.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  await release();
  await input.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  await input.send('Input.insertText', { text: '日本' });
  await expect(page.getByRole('textbox', { name: words('site.label') })).toHaveValue('日本');
});

const firstScreens = [
  ['site entry', undefined],
  ['a site with passwords', 'harbor'],
  ['a site with its own provider', 'corp'],
] as const;

for (const [name, site] of firstScreens)
  for (const locale of ['en', 'ar', 'ja'])
    test(`${name}, in ${locale}: nothing changes on the screen when the application takes over`, async ({
      page,
      context,
      product,
    }) => {
      await context.addCookies([{ name: 'anteroom_locale', value: locale, url: product.identity.url }]);
      const release = await openHeld(page, product, site);
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      await expect
        .poll(() => page.evaluate(() => [...document.images].every(({ complete }) => complete)))
        .toBe(true);
      const picture = { animations: 'disabled', caret: 'hide' } as const;
      const before = await page.screenshot(picture);
      await release();
      const after = await page.screenshot(picture);
      // The same picture is painted with slightly different edges at times: the tolerance of the other pictures.
      expect(await countDifferences(page, before, after)).toBeLessThanOrEqual(32);
    });

/** The number of pixels that differ by more than 8 of 255 in a colour. Both pictures have the same size. */
function countDifferences(page: Page, ...pictures: [Buffer, Buffer]): Promise<number> {
  const read = async (files: string[]): Promise<number> => {
    const context = new OffscreenCanvas(innerWidth, innerHeight).getContext('2d')!;
    const [before, after] = await Promise.all(
      files.map(async (file) => {
        const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0));
        return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      }),
    );
    context.drawImage(before!, 0, 0);
    context.globalCompositeOperation = 'difference';
    context.drawImage(after!, 0, 0);
    const { data } = context.getImageData(0, 0, innerWidth, innerHeight);
    let differing = 0;
    for (let at = 0; at < data.length; at += 4)
      if (Math.max(data[at]!, data[at + 1]!, data[at + 2]!) > 8) differing += 1;
    return differing;
  };
  return page.evaluate(
    read,
    pictures.map((picture) => picture.toString('base64')),
  );
}

for (const [name, site] of firstScreens)
  test(`${name}: the form is accessible before the application has loaded`, async ({ page, product }) => {
    const release = await openHeld(page, product, site);
    expect(await findViolations(page)).toEqual([]);
    await release();
  });

for (const [name, site] of firstScreens)
  test(`${name}: the form in the page has every element and attribute of the application's own`, async ({
    page,
    product,
  }) => {
    /** The elements without React's generated ids and without lazy-loaded parts. */
    const read = (): Promise<string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll('#root *:not([data-passkeys] *)')].map((element) => {
          const attributes = element
            .getAttributeNames()
            .filter((attribute) => attribute !== 'data-mark')
            .toSorted()
            .map(
              (attribute) =>
                `${attribute}=${element.getAttribute(attribute)?.replaceAll(/_[rR]_\w+?_/g, 'id')}`,
            );
          const texts = [...element.childNodes].map((node) => (node instanceof Text ? node.data : ''));
          return `${element.tagName} ${attributes.join(' ')} ${texts.join('')}`;
        }),
      );
    const release = await openHeld(page, product, site);
    const shell = await read();
    const address = new URL(page.url());
    await release();
    await page.unrouteAll();
    address.searchParams.delete('skip_splash');
    await page.goto(address.href);
    await expect(page.locator('main form')).toBeVisible();
    await expect(page.locator('[data-splash]')).toHaveCount(0);
    expect(await read()).toEqual(shell);
  });
