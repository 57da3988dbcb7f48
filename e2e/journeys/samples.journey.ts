import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import type { World } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { findFreePort } from '../../tools/start/ports.ts';
import { expect, test } from '../fixtures/world-test.ts';
import { words } from '../fixtures/words.ts';

// The samples of docs/applications.md, each with the library that it is about, as a process of its own.

const folder = join(import.meta.dirname, '../../samples');
const secret = 's'.repeat(43);

/** The samples, with what is registered of each besides its addresses. */
const samples: { file: string; callback: string; metadata: Readonly<Record<string, unknown>> }[] = [
  {
    file: 'express-openid-connect.js',
    callback: '/callback',
    metadata: { client_secret: secret, id_token_profile: true },
  },
  {
    file: 'passport.js',
    callback: '/callback',
    metadata: {
      client_secret: secret,
      token_endpoint_auth_method: 'client_secret_post',
      pkce_optional: true,
    },
  },
  {
    file: 'auth-js.js',
    callback: '/auth/callback/anteroom',
    metadata: { client_secret: secret, id_token_profile: true },
  },
  { file: 'single-page.js', callback: '/', metadata: { token_endpoint_auth_method: 'none' } },
];

/** Registers a sample and starts it. */
async function startSample(
  { identity, registerClient }: World,
  { file, callback, metadata }: (typeof samples)[number],
) {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const clientId = `sample-${port}`;
  await registerClient(clientId, {
    redirect_uris: [`${url}${callback}`],
    post_logout_redirect_uris: [`${url}/`],
    ...metadata,
  });
  const child = fork(join(folder, file), {
    env: {
      ...process.env,
      ISSUER: identity.url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: secret,
      PORT: String(port),
      SITE: 'harbor',
    },
    stdio: 'ignore',
  });
  await once(child, 'message');
  return { url, stop: () => void child.kill() };
}

const signInButton = (page: Page) =>
  page.getByRole('link', { name: 'Sign in' }).or(page.getByRole('button', { name: 'Sign in', exact: true }));
const signOutButton = (page: Page) =>
  page.getByRole('link', { name: 'Sign out' }).or(page.getByRole('button', { name: 'Sign out' }));

/** The sample proposes the site, so the user gives name and password alone. */
async function signIn(page: Page): Promise<void> {
  await signInButton(page).click();
  // Auth.js has a page of its own before
  const ofAuthJs = page.getByRole('button', { name: 'Sign in with Anteroom' });
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await ofAuthJs.or(userName).waitFor();
  if (await ofAuthJs.isVisible()) await ofAuthJs.click();
  await userName.fill(demoPeople.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn') }).click();
}

for (const sample of samples) {
  test(`a user signs in at the sample ${sample.file} and out again`, async ({ page, world }) => {
    const { url, stop } = await startSample(world, sample);
    try {
      // the logo of a provider, on a page of Auth.js
      await page.route('https://authjs.dev/**', (route) => route.fulfill({ contentType: 'image/svg+xml' }));
      await page.goto(url);
      await signIn(page);
      await expect(page.getByText('Samira Okafor at harbor')).toBeVisible();
      await expect(page).toHaveURL(`${url}/`);

      await signOutButton(page).click();
      if (sample.file === 'auth-js.js') await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(signInButton(page)).toBeVisible();
      await expect(page).toHaveURL(`${url}/`);
    } finally {
      stop();
    }
  });
}
