import { findViolations } from '../fixtures/accessibility.ts';
import { languages, openLook } from '../fixtures/look.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes } from '../fixtures/scenes.ts';
import { expect, test } from '../fixtures/test.ts';

// Every state is examined in one of the languages, the next one in the other: of each screen both directions are seen.
for (const [turn, language] of languages.entries())
  for (const scene of scenes.filter((_, place) => (place + turn) % languages.length === 0))
    test(`${scene.name} can be used by everybody, in light and in dark (${language})`, async ({
      browser,
      scripted,
      noise,
    }) => {
      const context = await openLook(browser, { language, colours: 'light' });
      const page = await context.newPage();
      listenForNoise(page, noise);
      await scene.play(page, scripted);
      await expect(page.locator('main')).toHaveAttribute('data-step', scene.step);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
      expect(await findViolations(page)).toEqual([]);
      await context.close();
    });
