import type { Locale } from '@anteroom/contract';
import { textsIn } from '../texts/catalogue.ts';
import { signInCodeText } from './code-sms.ts';
import { layOutMail } from './mail-layout.ts';
import type { MailContent } from './mail-layout.ts';

/** The mail with a one-time code. The subject does not contain the code, because a locked phone shows it. */
export function codeMail(facts: {
  code: string;
  minutes: number;
  /** The names of the application and the site. */
  productName: string | undefined;
  siteDisplayName: string | undefined;
  language: Locale;
  supportUrl: string | undefined;
}): MailContent {
  const { productName, siteDisplayName: organisation, language, supportUrl } = facts;
  const frame = { language, productName, organisation, supportUrl };
  return layOutMail(textsIn(language).codeMailSubject, [{ text: signInCodeText(facts) }], frame);
}
