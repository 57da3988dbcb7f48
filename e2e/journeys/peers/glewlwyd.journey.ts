import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPassword } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { findFreePort } from '../../../tools/start/ports.ts';
import { requirePackages, startProgram } from '../../fixtures/debian-program.ts';
import {
  expectRefused,
  expectSignedIn,
  expectSignedOut,
  goToCompany,
} from '../../fixtures/sign-in-over-company.ts';
import { expect, test } from '../../fixtures/test.ts';

// Glewlwyd does not percent-decode HTTP Basic: the special characters test the setting in docs/enterprise.md
const clientSecret = 'a-secret~with.characters-that-are-encoded';

/** The schema of Debian's package, with an administrator. */
const tables = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';

async function startCompany(
  product: Product,
  addCleanup: (end: () => Promise<void> | void) => void,
): Promise<string> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-glewlwyd-'));
  addCleanup(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'database');
  const database = new DatabaseSync(file);
  const several = '{"multiple":true,"read":true,"write":true}';
  const setting = `"redirect_uri":${several}`;
  // declares this member as a list, which the installed settings do not
  const settings = `"post_logout_redirect_uris":${several},${setting}`;
  database.exec(readFileSync(tables, 'utf8').replace(setting, settings));
  database.close();
  // Glewlwyd's web server does not follow symbolic links, which Debian uses for libraries and for the configuration
  const [webapp, pages] = ['/usr/share/glewlwyd/webapp', join(folder, 'pages')];
  const filter = (source: string) => source !== join(webapp, 'config.json');
  await cp(webapp, pages, { recursive: true, dereference: true, filter });
  await cp('/usr/share/glewlwyd/templates/config.json', join(pages, 'config.json'));
  const changes: [line: RegExp, ours: string][] = [
    [/^port=.*$/m, `port=${port}\nbind_address="127.0.0.1"\nstatic_files_path="${pages}/"`],
    [/^external_url=.*$/m, `external_url="${url}"`],
    [/^log_mode=.*$/m, 'log_mode="console"'],
    [/^@include .*$/m, `database = { type = "sqlite3"; path = "${file}"; };`],
  ];
  const installed = readFileSync('/etc/glewlwyd/glewlwyd.conf', 'utf8');
  const configuration = join(folder, 'glewlwyd.conf');
  writeFileSync(
    configuration,
    changes.reduce((text, [line, ours]) => text.replace(line, ours), installed),
  );
  addCleanup(await startProgram('glewlwyd', ['-c', configuration], { url }));
  const name = await product.connectCompany({
    kind: 'openid',
    site: 'corp',
    domain: 'corp.example',
    settings: {
      issuer: `${url}/api/oidc`,
      clientId: 'anteroom',
      scope: 'openid',
      tokenAuthentication: 'client_secret_basic_unencoded',
      requireVerifiedEmail: false,
      signOutThere: true,
    },
    clientSecret,
  });
  await setUp(url, product.identity.url, name);
  return url;
}

/** Configures Glewlwyd with its administration API, as an administrator would in its pages. */
async function setUp(url: string, publicUrl: string, connection: string): Promise<void> {
  async function call(method: string, path: string, body: object, cookie = ''): Promise<string> {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`Glewlwyd refused ${path}: ${await response.text()}`);
    return response.headers
      .getSetCookie()
      .map((line) => line.replace(/;.*/, ''))
      .join('; ');
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const admin = await call('POST', 'auth', { username: 'admin', password: 'password' });
  const parameters = {
    iss: `${url}/api/oidc`,
    'jwt-type': 'rsa',
    'jwt-key-size': '256',
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: publicKey.export({ type: 'spki', format: 'pem' }),
    'jwks-show': true,
    'access-token-duration': 3600,
    'refresh-token-duration': 3600,
    'code-duration': 600,
    'auth-type-code-enabled': true,
    'pkce-allowed': true,
    'subject-type': 'public',
    'name-claim': 'mandatory',
    'email-claim': 'mandatory',
    'session-management-allowed': true,
    'session-cookie-name': 'GLEWLWYD_SID',
    'session-cookie-expiration': 3600,
    // required by Glewlwyd's sign-out page
    'front-channel-logout-allowed': true,
    'back-channel-logout-allowed': true,
  };
  await call('POST', 'mod/plugin', { module: 'oidc', name: 'oidc', display_name: 'OIDC', parameters }, admin);
  await call(
    'POST',
    'client',
    {
      client_id: 'anteroom',
      name: 'Boards',
      client_secret: clientSecret,
      confidential: true,
      enabled: true,
      authorization_type: ['code'],
      token_endpoint_auth_method: ['client_secret_basic'],
      redirect_uri: [`${publicUrl}/external/callback`],
      post_logout_redirect_uris: [`${publicUrl}/external/signed-out`],
      backchannel_logout_uri: `${publicUrl}/external/back-channel-sign-out/${connection}`,
    },
    admin,
  );
  for (const [username, userName, email] of [
    ['employee', 'Elias Marchetti', 'employee@corp.example'],
    ['contractor', 'Clara Tor', 'contractor@partner.example'],
  ]) {
    const user = {
      username,
      name: userName,
      email,
      password: demoPassword,
      enabled: true,
      scope: ['openid'],
    };
    await call('POST', 'user', user, admin);
    const cookie = await call('POST', 'auth', { username, password: demoPassword });
    await call('PUT', 'auth/grant/anteroom', { scope: 'openid' }, cookie);
  }
}

async function signIn(page: Page, product: Product, userName: 'employee' | 'contractor'): Promise<void> {
  await goToCompany(page, product);
  await page.locator('#username').fill(userName);
  await page.locator('#password').fill(demoPassword);
  await page.locator('#loginbut').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test(
  'an employee signs in over Glewlwyd and out from either side, and a user of another domain is refused',
  { annotation: { type: 'peer', description: 'Glewlwyd' } },
  async ({ page, product, noise, addCleanup }, testInfo) => {
    requirePackages(testInfo, ['glewlwyd']);
    const url = await startCompany(product, addCleanup);
    await signIn(page, product, 'employee');
    await expectSignedIn(page, product);
    // Glewlwyd's page requires a confirmation, which works after the session's clients have loaded
    const confirm = async (leave: () => Promise<unknown>): Promise<void> => {
      const clients = page.waitForResponse(/\/api\/oidc\/session\//);
      await leave();
      await clients;
      await page.getByRole('button', { name: 'Logout' }).first().click();
    };
    await confirm(() => page.getByRole('link', { name: 'Sign out' }).click());
    await expect(page).toHaveURL(`${product.demo.url}/signed-out`);
    await expectSignedOut(page, product);

    // the company requests name and password again
    await signIn(page, product, 'employee');
    await expectSignedIn(page, product);
    // Glewlwyd's page for a sign-out everywhere finds the session by the value of its cookie
    const sid = (await page.context().cookies(url)).find(({ name }) => name === 'GLEWLWYD_SID')?.value ?? '';
    const query = new URLSearchParams({ prompt: 'end_session', plugin: 'oidc', sid, client_id: 'anteroom' });
    await confirm(() => page.goto(`${url}/login.html?${query.toString()}`));
    await expectSignedOut(page, product);

    await signIn(page, product, 'contractor');
    await expectRefused(page);
    // Glewlwyd has no texts in British English, which the browser logs
    noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('/locales/en-GB/')));
  },
);
