import type { Answer, Browser } from '../browser.ts';
import { publicUrl } from '../application.ts';
import type { TestApplication } from '../application.ts';
import { createSoftwarePasskey } from '../software-passkey.ts';
import type { SoftwarePasskey } from '../software-passkey.ts';
import { codeOfStep, fromBase32, stepAt } from '../../src/factors/time-based-codes.ts';
import { freshPhoneNumber, latestCodeOf } from './accounts.ts';
import type { User } from './facts.ts';

/** The calls of the account page that need a fresh proof. Some of them take two requests. */
export const accountCalls = [
  'read',
  'activity',
  'data',
  'add-passkey',
  'rename-passkey',
  'remove-passkey',
  'set-up-app',
  'remove-app',
  'recovery-codes',
  'set-phone',
  'remove-phone',
  'forget-computers',
  'end-other-sessions',
] as const;
export type AccountCall = (typeof accountCalls)[number];

/** The header of a page that supports all factors. A page of the previous release sends none. */
export const knowing = { 'x-anteroom-extensions': 'totp,passkeys,factors' };

export const appCodeOf = ({ clock }: Pick<TestApplication, 'clock'>, secret: string): string =>
  codeOfStep(fromBase32(secret), stepAt(clock.now()));

export const createPasskey = (): SoftwarePasskey =>
  createSoftwarePasskey({ origin: publicUrl, rpId: 'localhost' });

/** The answers of a call, up to the first refusal, and the change that succeeds with the last answer. */
type Called = { answers: Answer[]; change?: (user: User) => void };

/** Makes a call of the account page in the user's browser. */
export async function callAccount(
  node: TestApplication,
  browser: Browser,
  call: AccountCall,
  user: User,
): Promise<Called> {
  const send = (path: string, body: object = {}): Promise<Answer> =>
    browser.post(`/api/ui/account/${path}`, body, knowing);
  switch (call) {
    case 'read':
      return { answers: [await browser.call('/api/ui/account')] };
    case 'activity':
    case 'data':
      return { answers: [await browser.call(`/api/ui/account/${call}`)] };
    case 'add-passkey': {
      const begun = await send('passkey-options');
      if (begun.status !== 200) return { answers: [begun] };
      const passkey = createPasskey();
      const options = begun.json()['options'] as { challenge: string };
      const added = await send('add-passkey', { credential: passkey.create(options) });
      return { answers: [begun, added], change: (owner) => void owner.passkeys.push(passkey) };
    }
    case 'rename-passkey':
      return { answers: [await send(call, { id: user.passkeys[0]?.id ?? 'none', name: 'mine' })] };
    case 'remove-passkey': {
      const id = user.passkeys[0]?.id ?? 'none';
      const change = (owner: User): void => {
        owner.passkeys = owner.passkeys.filter((passkey) => passkey.id !== id);
      };
      return { answers: [await send(call, { id })], change };
    }
    case 'set-up-app': {
      const offered = await send('authenticator-app/offer');
      if (offered.status !== 200) return { answers: [offered] };
      const app = offered.json() as { secret: string; recoveryCodes: string[] };
      const set = await send('authenticator-app/set-up', { code: appCodeOf(node, app.secret) });
      return { answers: [offered, set], change: (owner) => void (owner.app = app) };
    }
    case 'remove-app':
      return {
        answers: [await send('authenticator-app/remove')],
        change: (owner) => void (owner.app = undefined),
      };
    case 'recovery-codes': {
      const made = await send(call);
      const change = (owner: User): void => {
        if (owner.app !== undefined) owner.app.recoveryCodes = made.json()['recoveryCodes'] as string[];
      };
      return { answers: [made], change };
    }
    case 'set-phone': {
      const phoneNumber = freshPhoneNumber();
      const sent = await send('phone-number/send-code', { phoneNumber });
      if (sent.status !== 200) return { answers: [sent] };
      const code = (await latestCodeOf(node, { phoneNumber })) ?? '000000';
      const set = await send('phone-number/set', { phoneNumber, code });
      return { answers: [sent, set], change: (owner) => void (owner.phoneNumber = phoneNumber) };
    }
    case 'remove-phone':
      return {
        answers: [await send('phone-number/remove')],
        change: (owner) => void (owner.phoneNumber = undefined),
      };
    case 'forget-computers':
    case 'end-other-sessions':
      return { answers: [await send(call)] };
  }
}

/** Whether the call replaced the session of the browser, as every change of how the user signs in does. */
export const hasRenewedSession = ({ cookies }: Answer): boolean =>
  cookies.some((line) => line.startsWith('anteroom_session='));
