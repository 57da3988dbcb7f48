import { accountCalls } from '@anteroom/contract/account';
import type { AccountCallName } from '@anteroom/contract/account';
import { beforeAll, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { provedNow } from '../../testing/begin-session.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createSoftwarePasskey } from '../../testing/software-passkey.ts';
import { useApplication } from '../../testing/use-application.ts';
import type { ProvedMethod } from '../sessions/session.ts';
import { requirements } from './required-proofs.ts';

const application = useApplication({ settings: { PASSKEY_RP_ID: 'localhost' } });

/** The sessions of a user, by what was proved and when. The director has a phone number, the secretary has no factor. */
const sessions = {
  none: undefined,
  'a stale password': { userName: 'secretary@demo.example', methods: () => aged(601, 'pwd') },
  'a fresh password': { userName: 'secretary@demo.example', methods: () => provedNow('pwd') },
  'a fresh password of a user with a factor': {
    userName: 'director@demo.example',
    methods: () => provedNow('pwd'),
  },
  'a fresh password and a stale code': {
    userName: 'director@demo.example',
    methods: () => [...aged(601, 'sms'), ...provedNow('pwd')],
  },
  'a fresh code and a stale password': {
    userName: 'director@demo.example',
    methods: () => [...aged(601, 'pwd'), ...provedNow('sms')],
  },
  'a fresh password and a fresh code': {
    userName: 'director@demo.example',
    methods: () => provedNow('pwd', 'sms'),
  },
  'a fresh sign-in at a company': {
    userName: 'director@demo.example',
    methods: () => provedNow('fed'),
    isOfCompany: true,
  },
} as const satisfies Record<
  string,
  undefined | { userName: string; methods: () => ProvedMethod[]; isOfCompany?: boolean }
>;
type SessionName = keyof typeof sessions;

function aged(seconds: number, ...names: Parameters<typeof provedNow>): ProvedMethod[] {
  const at = new Date(application().clock.now().getTime() - seconds * 1000);
  return provedNow(...names).map(({ method }) => ({ method, at }));
}

/** The rule of each cell, restated: which sessions reach the handler. */
const reaches: Record<(typeof requirements)[AccountCallName]['proof'], readonly SessionName[]> = {
  none: Object.keys(sessions) as SessionName[],
  'fresh password or factor': ['a fresh password', 'a fresh password and a fresh code'],
  'fresh own factor': ['a fresh password and a fresh code'],
};

const passkey = createSoftwarePasskey({ origin: publicUrl, rpId: 'localhost' });
const bodies: Partial<Record<AccountCallName, object>> = {
  addAccountPasskey: { credential: passkey.create({ challenge: 'x', user: { id: 'x' } }) },
  renameAccountPasskey: { id: 'unknown', name: 'x' },
  removeAccountPasskey: { id: 'unknown' },
  endAccountSession: { id: 'unknown' },
  setUpAuthenticatorApp: { code: '000000' },
  sendPhoneNumberCode: { phoneNumber: '+442079460999' },
  setPhoneNumber: { phoneNumber: '+442079460999', code: '000000' },
};

async function open(name: SessionName): Promise<Browser> {
  const { database, sessions: store } = application().services;
  const browser = application().openBrowser();
  const wanted = sessions[name];
  if (wanted !== undefined) {
    const account = await database
      .selectFrom('users')
      .select(['id', 'security_version as securityVersion'])
      .where('user_name', '=', wanted.userName)
      .executeTakeFirstOrThrow();
    const issued = await store.signIn(undefined, {
      account,
      methods: wanted.methods(),
      authSite: 'harbor',
      externallyAuthenticated: 'isOfCompany' in wanted,
    });
    browser.cookies.set('anteroom_session', { value: issued?.cookieValue ?? '', path: '/' });
  }
  // Sets the anti-forgery cookie.
  const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'login' });
  await browser.call('/api/ui/auth-context', { returnUrl });
  return browser;
}

function send(browser: Browser, name: AccountCallName): Promise<Answer> {
  const { method, path } = accountCalls[name];
  if (method === 'POST') return browser.post(path, bodies[name] ?? {});
  return browser.call(path, name === 'getAccountProof' ? { purpose: 'confirm' } : {});
}

/** Whether the guard let the call through, whatever its handler then answered. */
const isLetThrough = ({ status, ...answer }: Answer): boolean =>
  status < 400 || !['unauthorized', 'forbidden'].includes(String(answer.json()['code']));

describe('what a call of the account page needs [S25]', () => {
  beforeAll(async () => {
    const { database } = application().services;
    await database.updateTable('sites').set({ second_factor_required: false }).execute();
  });

  test('the table has a row for every call', () => {
    expect(Object.keys(requirements).toSorted()).toEqual(Object.keys(accountCalls).toSorted());
  });

  const cells = (Object.keys(requirements) as AccountCallName[]).flatMap((call) =>
    (Object.keys(sessions) as SessionName[]).map((session) => {
      const { proof, company } = requirements[call];
      const isOfCompany = session === 'a fresh sign-in at a company';
      const isOpen = isOfCompany ? company !== 'refused' : reaches[proof].includes(session);
      return [call, session, isOpen] as const;
    }),
  );

  test.each(cells)('%s with %s is let through: %s [S25]', async (call, session, isOpen) => {
    expect(isLetThrough(await send(await open(session), call))).toBe(isOpen);
  });
});
