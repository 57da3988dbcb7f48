import { contextAt } from '@anteroom/testkit/scripted/opening-scene';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { choosing, unknownSite } from '@anteroom/testkit/states/contexts';
import { dana } from '@anteroom/testkit/states/moves';
import { addressOfState } from '@anteroom/testkit/states/states';
import type { Page } from '@playwright/test';
import { expectTree } from '../fixtures/reader-tree.ts';
import { expect, test } from '../fixtures/test.ts';
import { typeCode } from '../fixtures/type-code.ts';

// Right-to-left, keyboard only, with the accessibility tree of each step.

const password = 'Quiet-Harbor-Morning-74';

async function openInHebrew(
  page: Page,
  identity: ScriptedIdentity,
  path?: string,
  fragment = '',
): Promise<void> {
  await page.goto(addressOfState({ path: path ?? '/account/login', fragment }, identity, 'he'));
}

/** Expects the step in Hebrew, with a visible focus and the recorded accessibility tree. */
async function expectStep(page: Page, step: string, tree = step): Promise<void> {
  await page.locator(`main[data-step="${step}"]`).waitFor();
  await expect(page.locator('html')).toHaveAttribute('lang', 'he');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('main :focus')).toBeInViewport();
  await expectTree(page, `he/${tree}`);
}

test('in Hebrew a keyboard user signs in, from site entry to the list of boards, and signs out [WCAG 1.3.2, 2.1.1]', async ({
  page,
  scripted,
}) => {
  const { script, urls } = scripted;
  unknownSite()(scripted);
  script.answer('authenticate', {
    status: 'second_factor_required',
    mfaPhoneNumberSuffix: '42',
    mfaAdaptivePolicyEnabled: true,
    mfaCodeValidityInMinutes: 10,
  });
  script.answer('verifyMfaCode', { status: 'select_site_required' });
  const { keyboard } = page;

  await openInHebrew(page, scripted);
  await expectStep(page, 'site-entry');
  await keyboard.type('northwind');
  await keyboard.press('Enter');

  await expectStep(page, 'credentials');
  await keyboard.type(dana);
  await keyboard.press('Tab');
  await keyboard.type(password);
  await keyboard.press('Enter');

  await expectStep(page, 'second-factor-required');
  await typeCode(page, '123456');
  choosing()(scripted);
  script.answer(
    'getRefreshContext',
    contextAt(urls, {
      userName: dana,
      selectSite: true,
      session: { state: 'valid', isExternallyAuthenticated: false },
    }),
  );
  await keyboard.press('Enter');

  await page.locator('[data-todo="vote"]').last().waitFor();
  await expectStep(page, 'select-site');
  await keyboard.press('Tab');
  await expect(page.locator('[data-site] button').first()).toBeFocused();
  // back past the heading to the header
  await keyboard.press('Shift+Tab');
  await expect(page.locator('[data-action="sign-out"]')).toBeFocused();
  script.answer('getLogoutContext', { requiresConfirmation: false, showCancelButton: false });
  await keyboard.press('Enter');
  await expectStep(page, 'logged-out');
});

test('in Hebrew a keyboard user who has forgotten the password requests a link and sets a new password [WCAG 2.1.1]', async ({
  page,
  scripted,
}) => {
  const { keyboard } = page;
  await openInHebrew(page, scripted, '/recovery/forgotten-password');
  await expectStep(page, 'forgotten-password');
  await keyboard.type(dana);
  await keyboard.press('Enter');
  await page.locator('main form').waitFor({ state: 'detached' });
  await expectStep(page, 'forgotten-password', 'forgotten-password-sent');

  await openInHebrew(page, scripted, '/recovery/new-password', '#token');
  await expectStep(page, 'new-password');
  await keyboard.type(password);
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.type(password);
  await keyboard.press('Enter');
  await page.locator('main form').waitFor({ state: 'detached' });
  await expectStep(page, 'new-password', 'new-password-saved');
});
