import identityPackage from '../../identity/package.json' with { type: 'json' };
import { startSamlCompany } from '../../identity/testing/saml/identity-provider.ts';
import type { SamlCompany } from '../../identity/testing/saml/identity-provider.ts';
import { expectSignedIn, goToCompany } from '../fixtures/sign-in-over-company.ts';
import { words } from '../fixtures/words.ts';
import { expect, test as base } from '../fixtures/test.ts';

/**
 * A SAML identity provider on another site, so that the browser sends no cookies of the service with the posted form.
 */
const test = base.extend<{ company: SamlCompany }>({
  company: async ({ product }, use) => {
    const company = await startSamlCompany();
    await product.connectCompany({
      kind: 'saml',
      site: 'corp',
      domain: 'corp.example',
      settings: company.settings,
    });
    company.register(await (await fetch(`${product.identity.url}/saml/metadata/corp`)).text());
    await use(company);
    await company.close();
  },
});

test(
  'an employee signs in over a SAML company, confirms their identity there, and is signed out there too',
  {
    annotation: [
      { type: 'peer', description: 'samlify' },
      { type: 'version', description: identityPackage.devDependencies.samlify },
    ],
  },
  async ({ page, product, company }) => {
    await page.goto(product.demo.url);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('textbox', { name: words('site.label') }).fill('corp');
    await page.getByRole('button', { name: words('common.continue') }).click();
    await page.getByRole('textbox', { name: words('login.userName') }).fill('employee@corp.example');
    await page.getByRole('button', { name: words('common.continue') }).click();
    await page.getByRole('button', { name: 'Go on as employee@corp.example' }).click();
    await expect(page.locator('[data-claim="email"]')).toHaveText('employee@corp.example');
    await expect(page.locator('[data-claim="amr"]')).toHaveText('fed');

    await page.getByRole('link', { name: 'Confirm it is you' }).click();
    await page.getByRole('button', { name: 'Go on as employee@corp.example' }).click();
    await expect(page.locator('[data-done="elevate"]')).toBeVisible();
    expect(company.asked.map(({ forceAuthentication }) => forceAuthentication)).toEqual([false, true]);

    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect.poll(() => company.told).toEqual([{ kind: 'request', nameId: 'employee@corp.example' }]);
  },
);

test('an employee signs in over a company that accepts requests with the HTTP-POST binding only', async ({
  page,
  product,
  company,
}) => {
  await product.connectCompany({
    kind: 'saml',
    site: 'corp',
    domain: 'corp.example',
    settings: { ...company.settings, entryPointBinding: 'post' },
  });
  company.register(await (await fetch(`${product.identity.url}/saml/metadata/corp`)).text());
  const posted = page.waitForRequest((request) => request.url() === company.settings.entryPoint);
  await goToCompany(page, product);
  expect((await posted).method()).toBe('POST');
  await page.getByRole('button', { name: 'Go on as employee@corp.example' }).click();
  await expectSignedIn(page, product);
});
