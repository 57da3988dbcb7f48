import type { Page } from '@playwright/test';
import { words } from '../fixtures/words.ts';
import { dana, expect, test } from './visit.ts';

// Browsers translate a page by replacing each text node with elements, except where the page says `translate="no"`.

async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!/\p{L}/u.test(text.data) || text.parentElement?.closest('[translate="no"], script, style'))
        continue;
      const outer = document.createElement('font');
      const inner = outer.appendChild(document.createElement('font'));
      inner.textContent = `(${text.data})`;
      text.replaceWith(outer);
    }
  });
}

/** The visible texts that still are a translation. */
const leftovers = async (page: Page): Promise<string[]> =>
  page
    .locator('font > font')
    .evaluateAll((fonts) =>
      fonts.filter((font) => font.checkVisibility()).map((font) => font.textContent ?? ''),
    );

test('machine translation: after a change of the language every text is in the new language', async ({
  page,
  visit,
}) => {
  await visit.open();
  await visit.step('credentials');
  await translate(page);
  await visit.field('userName').fill(dana);
  await visit.action('language').click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await expect(page.locator('main')).toContainText(words('login.password', {}, 'es'));
  await expect.poll(async () => leftovers(page)).toEqual([]);
  await expect(visit.field('userName')).toHaveValue(dana);
});

test('machine translation: the sign-in goes on, and names and codes are not translated', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.fail('authenticate', 'invalid_credentials');
  await visit.open();
  await visit.step('credentials');
  await translate(page);
  await visit.signIn();
  await expect(page.locator('main')).toContainText(words('login.errors.invalidCredentials'));
  await translate(page);
  scripted.script.answer('authenticate', { status: 'second_factor_required', mfaPhoneNumberSuffix: '42' });
  await visit.signIn();
  await visit.step('second-factor-required');
  await translate(page);
  await expect(page.locator('main bdi').filter({ hasText: dana })).toHaveText(dana);
  scripted.script.fail('verifyMfaCode', 'invalid_credentials');
  await visit.field('code-1').pressSequentially('1');
  await page.keyboard.type('23456');
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toContainText(words('mfa.errors.invalidCodeHeading'));
  await visit.step('second-factor-required');
});
