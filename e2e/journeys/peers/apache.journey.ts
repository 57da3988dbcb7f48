import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import { findFreePort } from '../../../tools/start/ports.ts';
import { root } from '../../../tools/root.ts';
import { requirePackages, startProgram } from '../../fixtures/debian-program.ts';
import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

const secret = 's'.repeat(43);

/** Registers the sample and starts it. */
async function startApache(
  { identity, registerClient }: Product,
  { site, metadata = () => ({}) }: { site: string; metadata?: (url: string) => object },
  addCleanup: (end: () => Promise<void> | void) => void,
): Promise<string> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const clientId = `apache-${port}`;
  await registerClient(clientId, {
    client_secret: secret,
    id_token_profile: true,
    redirect_uris: [`${url}/callback`],
    post_logout_redirect_uris: [`${url}/`],
    ...metadata(url),
  });
  // Apache's unprivileged user cannot read other folders
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-apache-'));
  addCleanup(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  cpSync(join(root, 'samples/apache'), folder, { recursive: true });
  mkdirSync(join(folder, 'run'));
  const env = {
    ISSUER: identity.url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: secret,
    PORT: String(port),
    SITE: site,
    PASSPHRASE: secret,
    PAGES: folder,
    RUN: join(folder, 'run'),
  };
  addCleanup(
    await startProgram('/usr/sbin/apache2', ['-f', join(folder, 'httpd.conf'), '-D', 'FOREGROUND'], {
      url,
      env,
    }),
  );
  return url;
}

test.beforeEach(({}, testInfo) => {
  requirePackages(testInfo, ['libapache2-mod-auth-openidc', 'apache2-bin']);
});

/** How Apache is notified of a sign-out: by a call of the service, or in a frame of the signed-out page. */
const channels = {
  'a message of the service': (url: string) => ({
    backchannel_logout_uri: `${url}/callback?logout=backchannel`,
    // the module finds its session by the `sid`
    backchannel_logout_session_required: true,
    backchannel_logout_private: true,
  }),
  'a frame of the signed-out page': (url: string) => ({
    frontchannel_logout_uri: `${url}/callback?logout=get`,
  }),
};

for (const [channel, metadata] of Object.entries(channels))
  test(
    `a user signs in at Apache, signs out there, and is signed out there by ${channel}`,
    { annotation: { type: 'peer', description: 'Apache mod_auth_openidc' } },
    async ({ page, product, addCleanup, noise }) => {
      const url = await startApache(product, { site: 'harbor', metadata }, addCleanup);
      await page.goto(url);
      for (const isEndedHere of [false, true]) {
        await page.getByRole('link', { name: 'Sign in' }).click();
        await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.secretary);
        await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
        await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
        await expect(page.getByText('Samira Okafor at harbor')).toBeVisible();
        await expect(page).toHaveURL(`${url}/boards/`);
        if (isEndedHere) break;
        await page.getByRole('link', { name: 'Sign out' }).click();
        await expect(page).toHaveURL(`${url}/`);
      }
      await page.goto(`${product.identity.url}/ui/account/logout`);
      await page.locator('main button[type="submit"]').click();
      const answersWith = async () =>
        (await page.request.get(`${url}/boards/`, { maxRedirects: 0 })).status();
      await expect.poll(answersWith).toBe(302);
      // Apache answers in the frame, but forbids framing of the answer
      noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('X-Frame-Options')));
    },
  );

test(
  'Apache refuses a user who has entered another site than it requested',
  { annotation: { type: 'peer', description: 'Apache mod_auth_openidc' } },
  async ({ page, product, addCleanup }) => {
    const url = await startApache(product, { site: 'summit' }, addCleanup);
    await signInAtPortal(page, product);
    await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
    await page.goto(url);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Unauthorized' })).toBeVisible();
    await expect(page).toHaveURL(`${url}/boards/`);
  },
);
