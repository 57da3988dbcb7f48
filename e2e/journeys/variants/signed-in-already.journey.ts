import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { BrowserContext, Page } from '@playwright/test';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// Any sign-in page redirects a signed-in user to the application.

declare global {
  interface Window {
    /** Records a step that a sign-in page has shown. */
    noteStep?: (step: string) => void;
  }
}

/** The board portal's authorization request; `more` has the parameters that another application would add. */
async function beginAtPortal(
  context: BrowserContext,
  { demo }: Product,
  more: Record<string, string> = {},
): Promise<{ address: string; state: string | null }> {
  const answer = await context.request.get(`${demo.url}/go/sign-in`, { maxRedirects: 0 });
  const address = new URL(answer.headers()['location'] ?? '');
  for (const [name, value] of Object.entries(more)) address.searchParams.set(name, value);
  return { address: address.href, state: address.searchParams.get('state') };
}

/** Opens a tab with a separate sign-in. */
async function openTab(context: BrowserContext, product: Product, more: Record<string, string> = {}) {
  const { address, state } = await beginAtPortal(context, product, more);
  const page = await context.newPage();
  const calledBack: (string | null)[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.href.startsWith(`${product.demo.url}/callback`)) calledBack.push(url.searchParams.get('state'));
  });
  await page.goto(address);
  await page.locator('main[data-step]').waitFor();
  return { page, state, calledBack };
}

async function signIn(page: Page): Promise<void> {
  const site = page.getByRole('textbox', { name: words('site.label') });
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await expect(site.or(userName)).toBeVisible();
  if (await site.isVisible()) {
    await site.fill('harbor');
    await page.getByRole('button', { name: words('common.continue') }).click();
  }
  await userName.fill(demoUsers.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
}

async function expectPortal(page: Page, { demo }: Product): Promise<void> {
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
  expect(page.url()).toBe(`${demo.url}/`);
}

/** Brings a tab from the background to the front, and waits for its call. */
async function returnTo(page: Page): Promise<void> {
  const answered = page.waitForResponse('**/api/ui/auth-context?*');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await (await answered).finished();
}

test('Back, a reload, a bookmark of the sign-in page and a used authorization response redirect to the board portal', async ({
  context,
  page,
  product,
}) => {
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.locator('main[data-step]').waitFor();
  const signInPage = page.url();
  // a setting of the portal's registration
  expect(new URL(signInPage).searchParams.get('skip_splash')).toBe('true');
  await signIn(page);
  await expectPortal(page, product);

  const shown: string[] = [];
  await page.exposeFunction('noteStep', (step: string) => shown.push(step));
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const step = document.querySelector('main[data-step]')?.getAttribute('data-step');
      if (step) window.noteStep?.(step);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goBack();
  await expectPortal(page, product);
  await page.goto(signInPage);
  await expectPortal(page, product);
  await page.goto(`${product.demo.url}/callback?code=used&state=used`);
  await expectPortal(page, product);
  expect(shown).toEqual([]);

  // Back does not return to the sign-in page
  const [before, after] = await Promise.all([beginAtPortal(context, product), context.newPage()]);
  await after.goto(`${product.demo.url}/support`);
  await after.goto(signInPage);
  await expectPortal(after, product);
  await after.goBack();
  await expect(after).toHaveURL(`${product.demo.url}/support`);
  await after.goto(before.address);
  await expectPortal(after, product);
});

for (const firstToSignIn of [0, 1])
  test(`after a sign-in in the ${firstToSignIn === 0 ? 'first' : 'second'} of two tabs, the other continues with its own state and without a password`, async ({
    context,
    product,
  }) => {
    const tabs = [await openTab(context, product), await openTab(context, product)];
    const [signsIn, waits] = [tabs[firstToSignIn]!, tabs[1 - firstToSignIn]!];
    await signIn(signsIn.page);
    await expectPortal(signsIn.page, product);
    await returnTo(waits.page);
    await expectPortal(waits.page, product);
    for (const { calledBack, state } of [signsIn, waits]) expect(calledBack).toEqual([state]);
  });

test('a second tab prompts if it requires re-authentication, another site or another user, also after a reload [3.1]', async ({
  context,
  product,
}) => {
  const tabs: { asked: Record<string, string>; heading: string; hinted?: string }[] = [
    { asked: { prompt: 'login' }, heading: words('login.headingReauthenticate') },
    { asked: { prompt: 'elevate' }, heading: words('login.headingElevate') },
    {
      asked: { site: 'northwind' },
      heading: words('login.headingWithSite', { site: 'Northwind Holdings' }),
    },
    {
      asked: { login_hint: demoUsers.director },
      hinted: demoUsers.director,
      heading: words('login.headingWithSite', { site: 'Harbor Trust' }),
    },
  ];
  const asking = [];
  for (const { asked, ...expected } of tabs)
    asking.push({ ...(await openTab(context, product, asked)), ...expected });
  const first = await openTab(context, product);
  await signIn(first.page);
  await expectPortal(first.page, product);
  for (const { page, calledBack, heading, hinted } of asking) {
    const { href } = new URL(page.url());
    await returnTo(page);
    await page.reload();
    await expect(page.getByLabel(words('login.password'), { exact: true })).toBeVisible();
    // the form fits the context: re-authentication, default site, and the read-only user of the session or the hinted
    // user
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(heading);
    const userName = page.locator('main :not([aria-hidden]) > input[name="userName"]');
    await expect(userName).toHaveValue(hinted ?? demoUsers.secretary);
    await expect(userName).toHaveJSProperty('readOnly', hinted === undefined);
    expect(page.url()).toBe(href);
    expect(calledBack).toEqual([]);
  }
});

test('a visitor without a session who must confirm their identity reads so and signs in once [2.37]', async ({
  context,
  product,
}) => {
  const { page } = await openTab(context, product, { prompt: 'elevate', site: 'harbor' });
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 2 })).toHaveText(words('login.headingElevate'));
  await expect(main).toContainText(words('login.descriptionElevate'));
  await expect(main).toContainText(words('login.headingWithSite', { site: 'Harbor Trust' }));
  await signIn(page);
  await expectPortal(page, product);
});

test('after a cancel the board portal reports that nothing has changed', async ({ context, product }) => {
  const { page } = await openTab(context, product);
  await signIn(page);
  await expectPortal(page, product);
  await expect(page.getByRole('status')).toHaveText('You are signed in.');
  for (const [link, action] of [
    ['Switch board', 'back-to-boards'],
    ['Change password', 'back'],
    ['Confirm it is you', 'back-to-boards'],
  ] as const) {
    await page.getByRole('link', { name: link }).click();
    await page.locator(`main [data-action="${action}"], header [data-action="${action}"]`).first().click();
    await expect(page.getByRole('status')).toContainText('Nothing has changed.');
    await expect(page.getByText('You are signed in.')).toHaveCount(0);
  }
});
