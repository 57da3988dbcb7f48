import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from './visit.ts';
import type { Visit } from './visit.ts';

// Input methods, as for Japanese and Chinese, compose a text in the field and then commit it.

async function openCode(
  page: Page,
  visit: Visit,
  answer: (name: 'authenticate', value: { status: 'second_factor_required' }) => void,
): Promise<CDPSession> {
  answer('authenticate', { status: 'second_factor_required' });
  await visit.open();
  await visit.signIn();
  await visit.step('second-factor-required');
  await expect(visit.field('code-1')).toBeFocused();
  return page.context().newCDPSession(page);
}

const compose = async (keyboard: CDPSession, text: string): Promise<void> => {
  await keyboard.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
};
const commit = async (keyboard: CDPSession, text: string): Promise<void> => {
  await keyboard.send('Input.insertText', { text });
};

const boxes = async (page: Page): Promise<string> =>
  page
    .locator('main input[name^="code-"]')
    .evaluateAll((inputs) =>
      inputs.map((input) => (input instanceof HTMLInputElement ? input.value || '.' : '')).join(''),
    );

for (const [what, digits, code] of [
  ['full-width digits', ['４', '７', '１'], '471'],
  ['ASCII digits', ['4', '7', '1'], '471'],
  ['Arabic-Indic digits', ['٤', '٧', '١'], '471'],
  ['the same digit', ['４', '４', '４'], '444'],
] as const)
  test(`input methods: a composed digit arrives once: ${what}`, async ({ page, visit, scripted }) => {
    const keyboard = await openCode(page, visit, scripted.script.answer);
    for (const [index, digit] of digits.entries()) {
      await compose(keyboard, digit);
      await expect(visit.field(`code-${index + 1}`)).toHaveValue(digit);
      await commit(keyboard, digit);
      await expect(visit.field(`code-${index + 2}`)).toBeFocused();
    }
    expect(await boxes(page)).toBe(`${code}...`);
  });

test('input methods: several digits that are composed together fill the boxes', async ({
  page,
  visit,
  scripted,
}) => {
  const keyboard = await openCode(page, visit, scripted.script.answer);
  for (const text of ['４', '４７', '４７１', '４７１２', '４７１２０', '４７１２０６'])
    await compose(keyboard, text);
  await commit(keyboard, '４７１２０６');
  await expect(visit.field('code-6')).toBeFocused();
  expect(await boxes(page)).toBe('471206');
});

test('input methods: the composed digits are part of the code that the button sends', async ({
  page,
  visit,
  scripted,
}) => {
  const keyboard = await openCode(page, visit, scripted.script.answer);
  await compose(keyboard, '471206');
  await visit.submit();
  expect((await visit.called('verifyMfaCode')).input.body?.code).toBe('471206');
});

test('input methods: a cancelled composition leaves the digits before it', async ({
  page,
  visit,
  scripted,
}) => {
  const keyboard = await openCode(page, visit, scripted.script.answer);
  await commit(keyboard, '4');
  await expect(visit.field('code-2')).toBeFocused();
  await compose(keyboard, '７');
  await compose(keyboard, '');
  await expect(visit.field('code-2')).toHaveValue('');
  expect(await boxes(page)).toBe('4.....');
});
