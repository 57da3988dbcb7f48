import { paths } from '../src/http/page-addresses.ts';
import { signInNameKey } from '../src/lib/names.ts';
import type { TestApplication } from './application.ts';
import type { Answer, Browser } from './browser.ts';

export type SentMail = { recipient: string; subject: string | null; text: string };

/** Opens a recovery page, which sets the anti-forgery cookie. */
export async function openRecoveryPage(
  { openBrowser }: Pick<TestApplication, 'openBrowser'>,
  query: Record<string, string> = {},
): Promise<Browser> {
  const browser = openBrowser();
  await browser.call('/api/ui/recovery/context', query);
  return browser;
}

/** Requests a password link. The mail is sent later, in a background task. */
export function askForLink(
  browser: Browser,
  userName: string,
  { headers, ...more }: { headers?: Record<string, string> } & Record<string, unknown> = {},
): Promise<Answer> {
  return browser.post('/api/ui/recovery/password-link', { userName, ...more }, headers);
}

/** Waits for the background tasks, and returns the sent mails, the oldest first. */
export async function deliverMails({ recovery, services }: TestApplication): Promise<SentMail[]> {
  await recovery.drain();
  await services.settleMessages();
  const mails = await services.database
    .deleteFrom('outbox')
    .where('kind', '=', 'mail')
    .returning(['number', 'recipient', 'subject', 'text'])
    .execute();
  return mails
    .toSorted((one, other) => Number(one.number) - Number(other.number))
    .map(({ recipient, subject, text }) => ({ recipient, subject, text }));
}

/** Finds the link in a mail. */
export function readLink({ text }: SentMail): URL {
  const [address] = /https?:\S+/.exec(text) ?? [];
  if (address === undefined) throw new Error(`no link in: ${text}`);
  return new URL(address);
}

/** Requests a link, and returns its token. */
export async function obtainToken(application: TestApplication, userName: string): Promise<string> {
  await askForLink(await openRecoveryPage(application), userName);
  // a mail about an earlier change can be delivered at the same time
  const mails = await deliverMails(application);
  const mail = mails.findLast(({ text }) => text.includes(paths.newPassword));
  if (mail === undefined) throw new Error(`no mail for ${userName}`);
  return readLink(mail).hash.slice(1);
}

/** Sets a new password with a token, in a new browser. */
export async function useToken(
  application: Pick<TestApplication, 'openBrowser'>,
  token: string,
  newPassword: string,
  newPasswordConfirmation = newPassword,
): Promise<Answer> {
  const browser = await openRecoveryPage(application);
  return browser.post('/api/ui/recovery/new-password', { token, newPassword, newPasswordConfirmation });
}

/** Opens a password link in a new browser. */
export async function openToken(
  application: Pick<TestApplication, 'openBrowser'>,
  token: string,
): Promise<Answer> {
  const browser = await openRecoveryPage(application);
  return browser.post('/api/ui/recovery/open-password-link', { token });
}

export async function findUserId(
  { services }: Pick<TestApplication, 'services'>,
  name: string,
): Promise<string> {
  const row = await services.database
    .selectFrom('sign_in_names')
    .select('user_id')
    .where('name_key', '=', signInNameKey(name))
    .executeTakeFirstOrThrow();
  return row.user_id;
}
