import type { CallAnswer } from '@anteroom/contract';
import { contextAt } from '@anteroom/testkit/scripted/opening-scene';
import { dana, expect, test } from './visit.ts';

type Context = CallAnswer<'getAuthContext'>;

const none = { state: 'none', isExternallyAuthenticated: false } as const;
const expired = { state: 'expired', isExternallyAuthenticated: false } as const;
const atSite = { state: 'valid', authSite: 'northwind', isExternallyAuthenticated: false } as const;
const atNoSite = { state: 'valid', isExternallyAuthenticated: false } as const;
const outside = { state: 'valid', authSite: 'northwind', isExternallyAuthenticated: true } as const;

/** The step that follows each context (specification, points 2 and 4; wire contract, decisions on combined flags). */
const table: readonly [name: string, context: Partial<Context>, step: string][] = [
  ['nobody signed in, no prompt', { session: none }, 'credentials'],
  ['an expired session, no prompt', { session: expired, userName: dana }, 'credentials'],
  ['a valid session with a site, no prompt', { session: atSite, userName: dana }, 'credentials'],
  ['a valid session without a site, no prompt', { session: atNoSite, userName: dana }, 'select-site'],
  ['selectSite, valid', { session: atSite, selectSite: true, userName: dana }, 'select-site'],
  ['switch_site, valid', { session: atSite, promptMethod: 'switch_site', userName: dana }, 'select-site'],
  ['switch_site, nobody signed in', { session: none, promptMethod: 'switch_site' }, 'credentials'],
  ['switch_site, expired', { session: expired, promptMethod: 'switch_site' }, 'credentials'],
  ['elevate, valid', { session: atSite, promptMethod: 'elevate', userName: dana }, 'elevate'],
  ['elevate, nobody signed in', { session: none, promptMethod: 'elevate', userName: dana }, 'credentials'],
  ['elevate, expired', { session: expired, promptMethod: 'elevate', userName: dana }, 'credentials'],
  [
    'elevate, valid by a provider',
    { session: outside, promptMethod: 'elevate', userName: dana },
    'credentials',
  ],
  [
    'elevate, valid without a site: the choice comes first',
    { session: atNoSite, promptMethod: 'elevate', userName: dana },
    'select-site',
  ],
  [
    'change_password, valid',
    { session: atSite, promptMethod: 'change_password', userName: dana },
    'password-reset-voluntary',
  ],
  [
    'change_password comes before the choice of a site',
    { session: atNoSite, selectSite: true, promptMethod: 'change_password', userName: dana },
    'password-reset-voluntary',
  ],
  ['change_password, nobody known', { session: none, promptMethod: 'change_password' }, 'credentials'],
  ['switch_tenant, valid', { session: atSite, promptMethod: 'switch_tenant', userName: dana }, 'site-entry'],
  ['switch_tenant, nobody signed in', { session: none, promptMethod: 'switch_tenant' }, 'site-entry'],
  ['no identity service, with a site', { session: none, identityServiceUrl: null }, 'site-entry'],
];

test('prompts: each prompt opens its step in each state of the session', async ({ visit }) => {
  for (const [name, context, step] of table) {
    await test.step(name, async () => {
      visit.context(context);
      await visit.open();
      await visit.step(step);
    });
  }
});

test('prompts: the case of prompt and session state is ignored, and null means absent', async ({
  visit,
  scripted,
}) => {
  for (const [prompt, state, step] of [
    ['Elevate', 'Valid', 'elevate'],
    ['SWITCH_SITE', 'VALID', 'select-site'],
    ['Change_Password', 'valid', 'password-reset-voluntary'],
    [null, 'None', 'credentials'],
  ] as const) {
    scripted.script.garble(
      'getAuthContext',
      JSON.stringify({
        ...contextAt(scripted.urls),
        userName: dana,
        promptMethod: prompt,
        loginHint: null,
        passwordPolicy: null,
        loginFlowCustomizations: null,
        somethingNew: { a: [1] },
        session: { state, authSite: 'northwind', isExternallyAuthenticated: false },
      }),
    );
    await visit.open();
    await visit.step(step);
  }
});

test('prompts: no form appears before the settings of the site have loaded', async ({
  page,
  visit,
  scripted,
}) => {
  const release = scripted.script.hold('getSiteSettings');
  visit.signedIn({ promptMethod: 'elevate' });
  await visit.open();
  const { input } = await visit.called('getSiteSettings');
  expect(input.query).toEqual({ site: 'northwind', returnUrl: visit.returnUrl() });
  await expect(page.locator('main form')).toHaveCount(0);
  release();
  await visit.step('elevate');
});

test('switch_tenant: the remembered site is cleared, the field is empty, and “back to boards” opens the cancel address', async ({
  page,
  visit,
  scripted,
}) => {
  visit.signedIn({ promptMethod: 'switch_tenant' });
  await page
    .context()
    .addCookies([{ name: 'anteroom_site', value: 'northwind', url: scripted.urls.service }]);
  await visit.open();
  await visit.step('site-entry');
  await expect(visit.field('site')).toHaveValue('');
  expect(scripted.received('getSiteSettings')).toHaveLength(0);
  await visit.action('back-to-boards').click();
  await page.waitForURL(`${scripted.urls.application}/cancelled`);
});

test('switch_tenant: the entered site requires a new sign-in', async ({ page, visit, scripted }) => {
  visit.signedIn({ promptMethod: 'switch_tenant' });
  await visit.open();
  await visit.field('site').fill('harbor');
  await visit.submit();
  await visit.step('credentials');
  await expect(page.getByRole('heading', { name: 'Sign in to harbor' })).toBeVisible();
  await visit.signIn();
  const { input } = await visit.called('authenticate');
  expect(input.body.site).toBe('harbor');
  expect(input.body.authSite).not.toBe('northwind');
  // the new site reset the session, so the page requests the redirect
  await page.waitForURL(`${scripted.urls.application}/arrived`);
  expect(scripted.received('getPostLoginRedirect')).toHaveLength(1);
});

test('switch_site: “back to boards” links to the cancel address, otherwise to the original client, and there is no sign-out', async ({
  visit,
  scripted,
}) => {
  const { application } = scripted.urls;
  for (const [more, href] of [
    [{}, `${application}/cancelled`],
    [{ cancelRedirectUri: null, originalClientUri: `${application}/client` }, `${application}/client`],
  ] as const) {
    visit.signedIn({ promptMethod: 'switch_site', ...more });
    await visit.open();
    await visit.step('select-site');
    await expect(visit.action('back-to-boards')).toHaveAttribute('href', href);
    await expect(visit.action('sign-out')).toHaveCount(0);
  }
});

test('site entry: the entered site becomes the default site and resets the session state to “none”', async ({
  page,
  visit,
  scripted,
}) => {
  visit.signedIn({ identityServiceUrl: null, promptMethod: 'elevate' });
  await visit.open();
  await visit.field('site').fill('harbor');
  await visit.submit();
  await visit.step('credentials');
  const cookies = await page.context().cookies(scripted.urls.service);
  expect(cookies.find(({ name }) => name === 'anteroom_site')?.value).toBe('harbor');
});

test('cancel-redirect-uri: redirects to the cancel address of the context, or shows the error page without a cancel address', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open('/home/cancel-redirect-uri');
  await page.waitForURL(`${scripted.urls.application}/cancelled`);
  visit.context({ cancelRedirectUri: null });
  await visit.open('/home/cancel-redirect-uri');
  await visit.step('error');
});

test('sample-destination-url: shows the error page unless the configuration allows it', async ({
  visit,
  scripted,
}) => {
  await visit.open('/home/sample-destination-url');
  await visit.step('error');
  scripted.script.answer('getConfig', { sampleDestination: true });
  await visit.open('/home/sample-destination-url');
  await expect.poll(async () => visit.stepNow()).not.toBe('error');
});
