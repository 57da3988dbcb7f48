import { supportedLocales } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { textsIn } from './catalogue.ts';
import { renderForm, renderForward } from './forwarding-page.ts';

test.each(supportedLocales)(
  '%s: a page that takes the visitor to another server says where it leads',
  (locale) => {
    const { toSignIn, toApplication } = textsIn(locale).forwardingPage;
    const form = { action: 'https://idp.example', fields: {}, formAction: 'https:' };
    expect(renderForm(form, locale).html).toContain(`<p>${toSignIn}</p>`);
    expect(renderForward('https://portal.example', locale).html).toContain(`<p>${toApplication}</p>`);
  },
);
