import { get } from 'node:http';
import type { Locale } from '@anteroom/contract';
import { firstForms } from '@anteroom/contract/first-form';
import type { FirstForm } from '@anteroom/contract/first-form';
import { startTestProduct } from '@anteroom/testkit';
import { supportedLocales } from '../../contract/src/languages.ts';

interface SentPage {
  form: FirstForm;
  locale: Locale;
  /** The size of the body as sent, after compression. */
  bytes: number;
}

/** The demo site whose sign-in starts with the form. */
const sites: Readonly<Record<FirstForm, string>> = {
  'site-entry': '',
  credentials: 'harbor',
  'user-name': 'corp',
};

/** Requests the page of a sign-in without the splash, as the service sends it: with answers, and compressed. */
async function sendPage(portalUrl: string, form: FirstForm, locale: Locale): Promise<SentPage> {
  const { headers: portal } = await fetch(`${portalUrl}/go/sign-in?site=${sites[form]}`, {
    redirect: 'manual',
  });
  const authorize = await fetch(portal.get('location') ?? '', { redirect: 'manual' });
  const page = new URL(authorize.headers.get('location') ?? '', authorize.url);
  const cookie = authorize.headers.getSetCookie().map((text) => text.split(';', 1)[0]);
  const headers = { cookie: cookie.join('; '), 'accept-encoding': 'br', 'accept-language': locale };
  const bytes = await new Promise<number>((resolve, reject) => {
    get(page, { headers }, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => (length += chunk.byteLength));
      response.on('end', () => resolve(length));
    }).on('error', reject);
  });
  return { form, locale, bytes };
}

/** Every page with a form, in each language, as the product sends it. */
export async function sendPagesWithForms(): Promise<SentPage[]> {
  const product = await startTestProduct();
  const pages: SentPage[] = [];
  for (const form of firstForms)
    for (const locale of supportedLocales) pages.push(await sendPage(product.demo.url, form, locale));
  await product.close();
  return pages;
}
