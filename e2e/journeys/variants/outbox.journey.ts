import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { demoUsers } from '@anteroom/testkit/demo-users';
import { expect, test } from '../../fixtures/test.ts';

test('the outbox shows new messages at the top automatically, and the message being read does not move', async ({
  browser,
  page,
  product,
}) => {
  const sendCode = async (): Promise<void> => {
    // the next code to the same phone is delayed
    product.clock.advanceSeconds(120);
    const context = await browser.newContext();
    const other = await context.newPage();
    await signInAtPortal(other, product, { userName: demoUsers.director });
    await other.locator('main[data-step="second-factor-required"]').waitFor();
    await context.close();
  };
  await sendCode();
  await page.setViewportSize({ width: 360, height: 240 });
  await page.goto(`${product.identity.url}/dev/outbox`);
  const messages = page.locator('[data-message]');
  const count = await messages.count();
  const read = messages.first();
  const id = await read.getAttribute('id');
  await read.evaluate((element) => element.scrollIntoView());
  const topOf = async (index: number) => (await messages.nth(index).boundingBox())?.y ?? NaN;
  const top = await topOf(0);

  await sendCode();
  await expect(messages).toHaveCount(count + 1);
  await expect(page.getByRole('status')).toContainText('1 new message');
  expect(await messages.nth(1).getAttribute('id')).toBe(id);
  expect(Math.abs((await topOf(1)) - top)).toBeLessThanOrEqual(1);
});
