import { beforeEach, expect } from 'vitest';
import { demoPassword } from '../src/demo/demo-data.ts';
import { portal, publicUrl } from './application.ts';
import type { TestApplication } from './application.ts';
import type { Answer, Browser } from './browser.ts';
import { beginSignIn } from './relying-party.ts';
import { createSoftwarePasskey } from './software-passkey.ts';
import type { SoftwarePasskey } from './software-passkey.ts';

export const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };
/** The headers of a page that supports passkeys, in a browser that can create one. */
export const knowing = { 'x-anteroom-extensions': 'totp,passkeys,passkey-offer' };
/** The answers of an honest authenticator. */
export const honest = { origin: publicUrl, rpId: 'localhost' };

type Options = { challenge: string };

export const call = (browser: Browser, path: string, body: object): Promise<Answer> =>
  browser.post(`/api/ui/passkey/${path}`, body, knowing);
export const optionsOf = (answer: Answer): Options => {
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json()['options'] as Options;
};
export const codeOf = ({ status, json }: Answer): unknown =>
  status === 200 ? json()['status'] : json()['code'];

/** The director's visits with and without passkeys, for the tests of one file. Each test starts without passkeys. */
export function usePasskeyVisits(application: () => TestApplication) {
  beforeEach(async () => {
    const { database } = application().services;
    for (const table of [
      'limits',
      'outbox',
      'code_messages',
      'remembered_devices',
      'passkeys',
      'passkey_refusals',
      'used_passkey_challenges',
    ] as const)
      await database.deleteFrom(table).execute();
  });

  async function latest(kind: 'sms' | 'mail'): Promise<string> {
    await application().services.settleMessages();
    const row = await application()
      .services.database.selectFrom('outbox')
      .select('text')
      .where('kind', '=', kind)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.text ?? '';
  }

  /** Signs the director in with a password and a code, and returns before the final redirect. */
  async function signInWithCode(more: object = {}, changes: Record<string, string> = {}) {
    application().clock.advanceSeconds(60);
    await application().services.database.deleteFrom('code_messages').execute();
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal, changes);
    const { returnUrl } = started;
    const asked = await browser.post('/api/ui/authenticate', { returnUrl, ...director }, knowing);
    expect(asked.json()['status']).toBe('second_factor_required');
    const code = /\b\d{6}\b/.exec(await latest('sms'))?.[0];
    const answer = await browser.post('/api/ui/verify-mfa-code', { returnUrl, code, ...more }, knowing);
    return { browser, started, returnUrl, answer };
  }

  async function enrol(passkey: SoftwarePasskey = createSoftwarePasskey(honest)) {
    const begun = await signInWithCode();
    const { browser, returnUrl } = begun;
    const options = optionsOf(await call(browser, 'enrolment-options', { returnUrl }));
    const answer = await call(browser, 'enrolment', { returnUrl, credential: passkey.create(options) });
    return { ...begun, passkey, answer };
  }

  return { latest, signInWithCode, enrol };
}
