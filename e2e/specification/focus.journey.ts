import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import type { Page } from '@playwright/test';
import { expect, test } from './visit.ts';

/** The name of the focused field, or the kind of the focused element. */
async function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document;
    const site = activeElement?.closest('[data-site]')?.getAttribute('data-site');
    if (activeElement?.matches('h1, h2, h3, [role="heading"]')) return 'heading';
    return site ?? activeElement?.getAttribute('name') ?? activeElement?.tagName;
  });
}

const sites = {
  sites: [siteNamed('a', 'A'), siteNamed('b', 'B')],
  userFirstName: 'Dana',
  userLastName: 'Rivers',
  boardsUserName: 'drivers',
  directorToDoItemsEnabled: false,
};

test('focus: a new step focuses its first editable field, or its heading if it has no such field [WCAG 2.4.1, 2.4.3]', async ({
  page,
  visit,
  scripted,
}) => {
  const expectFocus = async (name: string): Promise<void> =>
    expect.poll(async () => focused(page), name).toBe(name);
  scripted.script.answer('getSites', sites);
  visit.context({ identityServiceUrl: null });
  await visit.open();
  await visit.step('site-entry');
  await expectFocus('site');
  await visit.field('site').fill('harbor');
  await visit.submit();
  await visit.step('credentials');
  await expectFocus('userName');
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.signIn();
  await visit.step('second-factor-required');
  await expectFocus('code-1');
  for (const [path, step] of [
    ['/account/logout', 'logout'],
    ['/home/error', 'error'],
    ['/home/version', 'version'],
    ['/home/require-verified-login-email', 'require-verified-login-email'],
  ] as const) {
    await visit.open(path);
    await visit.step(step);
    await expectFocus('heading');
  }
});

test('focus: the site list focuses the entry with autofocus, or the heading if no entry has it', async ({
  page,
  visit,
  scripted,
}) => {
  visit.choosing();
  scripted.script.answer('getSites', sites);
  await visit.open();
  await visit.step('select-site');
  await expect.poll(async () => focused(page)).toBe('heading');
  scripted.script.answer('getSites', {
    ...sites,
    sites: [siteNamed('a', 'A'), { ...siteNamed('b', 'B'), autofocus: true }],
  });
  await visit.open();
  await visit.step('select-site');
  await expect.poll(async () => focused(page)).toBe('b');
});

test('focus: the first page load sets it after the splash has closed', async ({ page, visit, scripted }) => {
  const release = scripted.script.hold('getAuthContext');
  await visit.open();
  await visit.called('getAuthContext');
  await expect(page.locator('[data-splash]')).toHaveCount(1);
  await expect(page.locator('input:focus')).toHaveCount(0);
  release();
  await visit.step('credentials');
  await expect(visit.field('userName')).toBeFocused();
});

test('focus: a press on a box of the code that is not enabled yet focuses the next one', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.open();
  await visit.signIn();
  await visit.step('second-factor-required');
  await visit.field('code-1').fill('47');
  const { x = 0, y = 0, width = 0, height = 0 } = (await visit.field('code-5').boundingBox()) ?? {};
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect(visit.field('code-3')).toBeFocused();
});
