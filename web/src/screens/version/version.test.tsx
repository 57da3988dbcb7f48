// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { requireElement } from '../../ui/testing/draw.tsx';
import { drawApp } from '../testing/draw-app.tsx';
import { step } from '../testing/page.ts';

test.each([
  ['version', /Version: \d+\.\d+\.\d+$/],
  ['require-verified-login-email', /Verify your sign.in e.mail first/],
] as const)('the page home/%s shows its text [2.14, 2.16]', async (page, words) => {
  await drawApp({ entry: { kind: 'home', page } }, []);
  expect(step()).toBe(page);
  expect(requireElement('main').textContent).toMatch(words);
});
