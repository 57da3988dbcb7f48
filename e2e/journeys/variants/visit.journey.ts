import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Locator, Page } from '@playwright/test';
import { readMessages, receiveMessage } from '../../fixtures/mails.ts';
import {
  directorsPhone,
  enterDirectorsCredentials,
  openCredentials,
  signInAtPortal,
} from '../../fixtures/sign-in-at-portal.ts';
import { typeCode } from '../../fixtures/type-code.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// Details of a sign-in, with the real service.

async function signInDirector(page: Page, product: Product): Promise<void> {
  await openCredentials(page, product);
  const lines = (await enterDirectorsCredentials(page, product)).split('\n');
  expect(lines[0]).toContain('Anteroom');
  expect(lines[0]).toContain('Harbor Trust');
  const host = new URL(product.identity.url).hostname;
  expect(lines.at(-1)).toMatch(new RegExp(String.raw`^@${host} #\d{6}$`));
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`nothing to see of ${String(locator)}`);
  return { ...box, bottom: box.y + box.height };
}

test('the text message can be filled in automatically; the list on an iPad has the role below the name, hides disabled to-dos and shows progress', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 820, height: 1180 });
  await signInDirector(page, product);
  const entry = (name: string) => page.locator(`[data-site="${name}"]`);
  await page.getByRole('link', { name: 'Switch board' }).click();
  await expect(entry('northwind-audit').locator('[data-todo]').first()).toBeVisible();
  const name = await boxOf(entry('northwind-audit').getByRole('button').first());
  const role = await boxOf(entry('northwind-audit').locator('[data-entitlement]'));
  expect(role.y).toBeGreaterThanOrEqual(name.bottom - 1);
  expect(role.x).toBeCloseTo(name.x, 0);

  // a site can disable the to-dos of its directors; the reserved line stays, so that nothing moves
  await product.changeSite('northwind-audit', { director_to_dos_enabled: false });
  await page.reload();
  await expect(entry('northwind').locator('[data-todo]').first()).toBeVisible();
  await expect(page.locator('main')).not.toHaveAttribute('data-loading');
  await expect(entry('northwind-audit').locator('[data-todo]')).toHaveCount(0);

  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/api/ui/auth/select-site*', async (route) => {
    await held;
    await route.continue();
  });
  await entry('northwind-audit').getByRole('button').first().click();
  await expect(entry('northwind-audit')).toHaveAttribute('data-opening', '');
  await expect(page.locator('[data-opening]')).toHaveCount(1);
  open();
  await expect(page.locator('[data-claim="site"]')).toHaveText('northwind-audit');
});

test('a user without a phone sees the to-dos of a site whose company provides the second factor', async ({
  page,
  product,
}) => {
  await signInAtPortal(page, product);
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
  await product.changeSite('harbor', { second_factor_required: true, allow_password_entry: false });
  const toDos = page.waitForResponse('**/api/ui/sites/harbor/todo*');
  await page.getByRole('link', { name: 'Switch board' }).click();
  expect((await toDos).status()).toBe(200);
  await expect(page.locator('main output')).toHaveText(words('selectSite.nothingAwaits'));
});

test('an error is closer to its field than to the next field', async ({ page, product }) => {
  await page.goto(`${product.demo.url}/go/sign-in?site=harbor`);
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  const password = page.getByLabel(words('login.password'), { exact: true });
  await password.fill('evening');
  await password.press('Enter');
  const message = page.getByText(words('login.errors.userNameRequired'), { exact: true });
  await expect(message).toBeVisible();
  const [field, error, label] = await Promise.all([
    boxOf(userName),
    boxOf(message),
    boxOf(page.getByText(words('login.password'), { exact: true })),
  ]);
  expect(error.y - field.bottom).toBeLessThan(label.y - error.bottom);
});

test('an application with a name but no logo shows no logo, and without the nested UI there is no footer, also after the sign-out', async ({
  page,
  product,
}) => {
  const redirectUri = `${product.demo.url}/callback`;
  await product.registerClient(
    'plain',
    {
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [`${product.demo.url}/`],
      token_endpoint_auth_method: 'none',
      branding: { productName: 'Quayside' },
      skip_splash: true,
    },
    { nestedUIEliminated: true, languageSelectionAndLinksDisabled: true },
  );
  const query = new URLSearchParams({
    client_id: 'plain',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await page.goto(`${product.identity.url}/connect/authorize?${query.toString()}`);
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
  await expect(page.locator('header').getByText('Quayside')).toBeVisible();
  await expect(page.locator('header svg, header img')).toHaveCount(0);
  await expect(page.locator('[data-card][data-flat]')).toHaveCount(1);
  await expect(page.locator('footer')).toHaveCount(0);

  await product.setEntitlement({ userName: demoUsers.director, site: 'harbor', isMet: false });
  await page.getByRole('textbox', { name: words('site.label') }).fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.director);
  const before = (await readMessages(product, directorsPhone)).length;
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
  await typeCode(page, (await receiveMessage(product, directorsPhone, before)).code ?? '');
  await page.keyboard.press('Enter');
  await page.locator('[data-action="sign-out"]').click();
  await expect(page.locator('main[data-step="logged-out"]')).toBeVisible();
  await expect(page.locator('[data-card][data-flat]')).toHaveCount(1);
  await expect(page.locator('footer')).toHaveCount(0);
});

test('if the service never returns the context, the visitor gets an error page that can be loaded again', async ({
  page,
  product,
}) => {
  await page.clock.install();
  // The service embeds no answers in a page that the browser prefetches.
  await page.setExtraHTTPHeaders({ 'Sec-Purpose': 'prefetch' });
  let isHeld = true;
  await page.route('**/api/ui/auth-context?*', async (route) => {
    if (!isHeld) await route.continue();
  });
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000);
      return page.locator('main[data-step="error"]').isVisible();
    })
    .toBe(true);
  isHeld = false;
  await page.getByRole('button', { name: words('common.tryAgain') }).click();
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
});
