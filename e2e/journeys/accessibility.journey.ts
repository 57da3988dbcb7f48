import { findViolations } from '../fixtures/accessibility.ts';
import { looks, openLook } from '../fixtures/look.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { scenes } from '../fixtures/scenes.ts';
import { expect, test } from '../fixtures/test.ts';

for (const look of looks)
  for (const scene of scenes)
    test(`${scene.name} can be used by everybody (${look.language}, ${look.colours})`, async ({
      browser,
      scripted,
      noise,
    }) => {
      const context = await openLook(browser, look);
      const page = await context.newPage();
      listenForNoise(page, noise);
      await scene.play(page, scripted);
      await expect(page.locator('main')).toHaveAttribute('data-step', scene.step);
      await expect(page.locator('html')).toHaveAttribute('lang', look.language);
      await expect(page.locator('html')).toHaveAttribute('dir', look.language === 'ar' ? 'rtl' : 'ltr');
      expect(await findViolations(page)).toEqual([]);
      await context.close();
    });
