import { supportedLocales } from '@anteroom/contract';
import { startGallery } from '@anteroom/testkit/gallery/gallery';
import { mails } from '@anteroom/testkit/gallery/mails';
import { states } from '@anteroom/testkit/states/states';
import { findViolations, findViolationsIn } from '../../fixtures/accessibility.ts';
import { directionOf } from '../../fixtures/language-turns.ts';
import { expect, test } from '../../fixtures/test.ts';

test('a designer views any state in any language, colour scheme and width, and shares the view as a link', async ({
  page,
  context,
}) => {
  const gallery = await startGallery();
  const frame = page.frameLocator('[data-stage] iframe');
  const list = page.getByRole('navigation');
  try {
    await page.goto(gallery.url);
    const count = states.length + mails.length;
    await expect(page.getByRole('status')).toHaveText(`${count} of ${count} states`);
    expect(states.length).toBeGreaterThanOrEqual(60);
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    const picture = page.locator('[data-overview] img').first();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole('searchbox').fill('a wrong code');
    await list.getByRole('link', { name: 'second factor, a wrong code', exact: true }).click();
    await expect(frame.locator('[aria-invalid="true"]').first()).toBeVisible();
    expect(await frame.locator('html').evaluate(() => innerWidth)).toBe(1280);
    const stage = await page.locator('[data-stage]').boundingBox();
    const shown = await page.locator('[data-stage] iframe').boundingBox();
    expect(shown?.width).toBeLessThanOrEqual(stage?.width ?? 0);
    expect(shown?.height).toBeLessThanOrEqual(stage?.height ?? 0);
    expect(await findViolations(page)).toEqual([]);

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
    const otherFrame = other.frameLocator('[data-stage] iframe');
    await expect(otherFrame.locator('html')).toHaveAttribute('lang', 'he');
    await expect(otherFrame.locator('[aria-invalid="true"]').first()).toBeVisible();

    await page.getByRole('searchbox').fill('invitation');
    await list.getByRole('link', { name: 'invitation', exact: true }).click();
    await expect(frame.locator('body')).toContainText('Harbor Boards');
    await expect(frame.locator('h1')).toHaveCSS('color', 'rgb(238, 240, 244)');
  } finally {
    await gallery.close();
  }
});

test('a designer views each e-mail in every language and its direction, without overflow at 320 px', async ({
  page,
}) => {
  const gallery = await startGallery();
  const open = async (id: string, language: string, colours: string) =>
    page.goto(`${gallery.url}/show?${new URLSearchParams({ state: id, language, colours }).toString()}`);
  try {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const { id } of mails) {
      const subjects = new Set<string>();
      for (const language of supportedLocales) {
        await open(id, language, 'light');
        const { subject, ...mail } = await page.evaluate(() => {
          const { lang, scrollWidth, clientWidth } = document.documentElement;
          const { direction } = getComputedStyle(document.body);
          return { subject: document.title, lang, direction, overflow: scrollWidth - clientWidth };
        });
        expect(mail, `${id} in ${language}`).toEqual({
          lang: language,
          direction: directionOf(language),
          overflow: 0,
        });
        subjects.add(subject);
      }
      expect(subjects.size, id).toBe(supportedLocales.length);
      for (const [language, colours] of [
        ['de', 'light'],
        ['he', 'dark'],
      ] as const) {
        await open(id, language, colours);
        expect(await findViolationsIn(page, colours), `${id} in ${language}`).toEqual([]);
      }
    }
  } finally {
    await gallery.close();
  }
});
