import { supportedLocales } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { textsIn } from '../texts/catalogue.ts';
import { renderForm, renderForward } from './pages.ts';

test.each(supportedLocales)('%s: each page says where it leads', (locale) => {
  const { toSignIn, toApplication } = textsIn(locale).regionPage;
  const form = { action: 'https://idp.example', fields: {}, formAction: 'https:' };
  expect(renderForm(form, locale).html).toContain(`<p>${toSignIn}</p>`);
  expect(renderForward('https://portal.example', locale).html).toContain(`<p>${toApplication}</p>`);
});
