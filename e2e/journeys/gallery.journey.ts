import { startGallery } from '@anteroom/testkit/gallery/gallery';
import { states } from '@anteroom/testkit/states/states';
import { expect, test } from '../fixtures/test.ts';

test('a designer sees any state in any language, colours and width, and passes the view on as a link', async ({
  page,
  context,
}) => {
  const gallery = await startGallery();
  const frame = page.frameLocator('iframe');
  try {
    await page.goto(gallery.url);
    await expect(page.getByRole('status')).toHaveText(`${states.length} of ${states.length} states`);
    expect(states.length).toBeGreaterThanOrEqual(60);

    await page.getByRole('searchbox').fill('a wrong code');
    await page.getByRole('link', { name: 'second factor, a wrong code' }).click();
    await expect(frame.locator('[aria-invalid="true"]').first()).toBeVisible();

    await page.getByLabel('Language').selectOption('he');
    await expect(frame.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(frame.locator('[aria-invalid="true"]').first()).toBeVisible();

    await page.getByLabel('Colours').selectOption('dark');
    await expect(frame.locator('body')).toHaveCSS('color', 'rgb(238, 240, 244)');

    await page.getByLabel('Width').selectOption('320');
    await expect.poll(() => frame.locator('html').evaluate(() => innerWidth)).toBe(320);

    await page.getByLabel('Client').selectOption('violet');
    await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Harbor Boards');

    const other = await context.newPage();
    await other.goto(page.url());
    const otherFrame = other.frameLocator('iframe');
    await expect(otherFrame.locator('html')).toHaveAttribute('lang', 'he');
    await expect(otherFrame.locator('[aria-invalid="true"]').first()).toBeVisible();
  } finally {
    await gallery.close();
  }
});
