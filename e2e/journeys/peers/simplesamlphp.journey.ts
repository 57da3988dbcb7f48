import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProviderMetadata } from '@anteroom/identity/company/saml/provider-metadata';
import { demoPassword } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { createSigner } from '../../../identity/testing/saml/responses.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { requirePackages, startProgram } from '../../fixtures/debian-program.ts';
import {
  expectRefused,
  expectSignedIn,
  expectSignedOut,
  goToCompany,
  settingsFrom,
} from '../../fixtures/sign-in-over-company.ts';
import { expect, test } from '../../fixtures/test.ts';

/** Starts the identity provider. Each side reads the metadata of the other. */
async function startCompany(
  { identity, connectCompany }: Product,
  addCleanup: (end: () => Promise<void> | void) => void,
): Promise<string> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-simplesamlphp-'));
  addCleanup(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'temporary'));
  const { privateKey, certificate } = createSigner('SimpleSAMLphp');
  writeFileSync(join(folder, 'provider.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'provider.crt'), certificate);
  const env = {
    SIMPLESAMLPHP_CONFIG_DIR: join(import.meta.dirname, 'simplesamlphp'),
    RUN: folder,
    URL: url,
    SALT: 'only for this journey',
    PASSWORD: demoPassword,
  };
  addCleanup(
    await startProgram('php', ['-S', `localhost:${port}`, '-t', '/usr/share/simplesamlphp/www'], {
      url,
      env,
    }),
  );
  const metadata = await fetch(`${url}/saml2/idp/metadata.php`);
  await connectCompany({
    kind: 'saml',
    site: 'corp',
    domain: 'corp.example',
    settings: settingsFrom(readProviderMetadata(await metadata.text(), new Date())),
  });
  const service = await fetch(`${identity.url}/saml/metadata/corp`);
  writeFileSync(join(folder, 'service.xml'), await service.text());
  return url;
}

async function signIn(page: Page, product: Product, userName: 'employee' | 'contractor'): Promise<void> {
  await goToCompany(page, product);
  await page.locator('#username').fill(userName);
  await page.locator('#password').fill(demoPassword);
  await page.getByRole('button', { name: 'Login' }).click();
}

test(
  'an employee signs in over SimpleSAMLphp and out from either side, and a user of another domain is refused',
  { annotation: { type: 'peer', description: 'SimpleSAMLphp' } },
  async ({ page, product, addCleanup }, testInfo) => {
    requirePackages(testInfo, ['simplesamlphp', 'php-cli']);
    const url = await startCompany(product, addCleanup);
    await signIn(page, product, 'employee');
    await expectSignedIn(page, product);
    const answered = page.waitForResponse(/\/saml\/slo\/.*SAMLResponse=/);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await answered;

    // the company requests the password again
    await signIn(page, product, 'employee');
    await expectSignedIn(page, product);
    await page.goto(`${url}/saml2/idp/SingleLogoutService.php?ReturnTo=${url}/logout.php`);
    await expect(page).toHaveURL(`${url}/logout.php`);
    await expectSignedOut(page, product);

    await signIn(page, product, 'contractor');
    await expectRefused(page);
  },
);
