import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import samplesPackage from '../../samples/package.json' with { type: 'json' };
import { findFreePort } from '../../tools/start/ports.ts';
import { expect, test } from '../fixtures/test.ts';
import { signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { words } from '../fixtures/words.ts';

// The samples of docs/applications.md, each as a separate process with the library that it shows.

const folder = join(import.meta.dirname, '../../samples');
const secret = 's'.repeat(43);

/** The samples, with the registered settings of each in addition to its addresses. */
const samples: {
  file: string;
  peer: string;
  callback: string;
  metadata: Readonly<Record<string, unknown>>;
  /** The text of the sample if the user has entered another site than the sample requested. */
  refusal: RegExp;
}[] = [
  {
    file: 'express-openid-connect.js',
    peer: 'express-openid-connect',
    refusal: /The user entered harbor instead of summit/,
    callback: '/callback',
    metadata: { client_secret: secret, id_token_profile: true },
  },
  {
    file: 'passport.js',
    peer: 'passport-openidconnect',
    refusal: /^Unauthorized$/,
    callback: '/callback',
    metadata: {
      client_secret: secret,
      token_endpoint_auth_method: 'client_secret_post',
      pkce_optional: true,
    },
  },
  {
    file: 'auth-js.js',
    peer: '@auth/express',
    refusal: /^Access Denied$/,
    callback: '/auth/callback/anteroom',
    metadata: { client_secret: secret, id_token_profile: true },
  },
  {
    file: 'single-page.js',
    peer: 'oidc-client-ts',
    refusal: /^The user entered harbor instead of summit$/,
    callback: '/',
    metadata: { token_endpoint_auth_method: 'none' },
  },
];

/** Registers a sample and starts it. */
async function startSample(
  { identity, registerClient }: Product,
  { file, callback, metadata }: (typeof samples)[number],
  site = 'harbor',
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
      SITE: site,
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

async function beginSignIn(page: Page, { file }: (typeof samples)[number]): Promise<void> {
  await signInButton(page).click();
  // Auth.js shows its own page first
  if (file === 'auth-js.js') await page.getByRole('button', { name: 'Sign in with Anteroom' }).click();
}

/** The sample names the site, so the user enters only name and password. */
async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
}

// the logo of a provider on the page of Auth.js
test.beforeEach(({ page }) =>
  page.route('https://authjs.dev/**', (route) => route.fulfill({ contentType: 'image/svg+xml' })),
);

/** The versions that the package of the samples pins. */
const versions = new Map(Object.entries(samplesPackage.devDependencies));

for (const sample of samples) {
  const { file, peer, refusal } = sample;
  const annotation = [
    { type: 'peer', description: peer },
    { type: 'version', description: versions.get(peer) ?? '' },
  ];

  test(`a user signs in at the sample ${file} and out again`, { annotation }, async ({ page, product }) => {
    const { url, stop } = await startSample(product, sample);
    try {
      await page.goto(url);
      await beginSignIn(page, sample);
      await signIn(page);
      await expect(page.getByText('Samira Okafor at harbor')).toBeVisible();
      await expect(page).toHaveURL(`${url}/`);

      await signOutButton(page).click();
      if (file === 'auth-js.js') await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(signInButton(page)).toBeVisible();
      await expect(page).toHaveURL(`${url}/`);
    } finally {
      stop();
    }
  });

  test(
    `the sample ${file} refuses a user who has entered another site than it requested`,
    { annotation },
    async ({ page, product }) => {
      const { url, stop } = await startSample(product, sample, 'summit');
      try {
        await signInAtPortal(page, product);
        await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
        await page.goto(url);
        await beginSignIn(page, sample);
        await expect(page.getByText(refusal).first()).toBeVisible();
        await expect(page.getByText('Samira Okafor')).toHaveCount(0);
      } finally {
        stop();
      }
    },
  );
}
