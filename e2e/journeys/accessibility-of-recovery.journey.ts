import { demoUsers } from '@anteroom/testkit/demo-users';
import { findViolations } from '../fixtures/accessibility.ts';
import { languages, openLook } from '../fixtures/look.ts';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { expect, test } from '../fixtures/test.ts';

for (const language of languages)
  test(`every recovery page is accessible in light and dark colours (${language})`, async ({
    browser,
    noise,
    product,
  }) => {
    const context = await openLook(browser, { language, colours: 'light' });
    const page = await context.newPage();
    listenForNoise(page, noise);
    const culture = `&culture=${language}`;
    const expectClean = async (): Promise<void> => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      expect(await findViolations(page)).toEqual([]);
    };
    const open = async (name: string, query: string): Promise<void> => {
      const address = `${product.identity.url}/ui/recovery/${name}?skip_splash&refererClientId=director`;
      await page.goto(address + query);
      await expect(page.locator(`main[data-step="${name}"]`)).toBeVisible();
    };
    const submit = async (): Promise<void> => page.locator('main button[type="submit"]').click();
    const invalid = page.locator('main [aria-invalid="true"]').first();

    await open('forgotten-site', culture);
    await expectClean();
    await submit();
    await expect(invalid).toBeFocused();
    await expectClean();

    await open('forgotten-password', culture);
    await expectClean();
    await submit();
    await expect(invalid).toBeFocused();
    await expectClean();
    const before = (await readMessages(product, demoUsers.secretary)).length;
    await page.locator('input[name="userName"]').fill(demoUsers.secretary);
    await submit();
    await expect(page.locator('main h2')).toBeFocused();
    await expectClean();

    const { links } = await receiveMessage(product, demoUsers.secretary, before);
    await page.goto(links[0] ?? '');
    await expect(page.locator('input[name="newPassword"]')).toBeFocused();
    await expectClean();
    await page.locator('input[name="newPassword"]').fill('short');
    await page.locator('input[name="newPasswordConfirmation"]').fill('short');
    await submit();
    await expect(invalid).toBeFocused();
    await expectClean();

    await page.reload();
    await expect(page.locator('main h2')).toBeFocused();
    await expectClean();
    await open('new-password', `${culture}#no-such-link`);
    await expect(page.locator('main h2')).toBeFocused();
    await expectClean();
    await context.close();
  });
