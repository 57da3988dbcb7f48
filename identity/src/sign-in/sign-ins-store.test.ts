import { beforeEach, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { sendPassword, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';
import type { ProofKind } from './proofs.ts';
import { pruneSignIns, recordProofs, toSignIn } from './sign-ins-store.ts';

const application = useApplication();
const newcomer = { site: 'harbor', userName: 'newcomer@demo.example', password: demoPassword };

beforeEach(async () => {
  await application().services.database.deleteFrom('sign_ins').execute();
});

const readSignIns = async () => {
  const rows = await application().services.database.selectFrom('sign_ins').selectAll().execute();
  return rows.map(toSignIn);
};

test('a page without a return address continues the sign-in with the latest step, not the latest one', async () => {
  const browser = application().openBrowser();
  const first = await beginSignIn(browser, portal);
  application().clock.advanceSeconds(60);
  await beginSignIn(browser, portal);
  application().clock.advanceSeconds(60);
  expect((await sendPassword(browser, first, newcomer)).json()).toMatchObject({
    status: 'password_reset_required',
  });
  expect((await browser.call('/api/ui/refresh-context')).json()).toMatchObject({
    returnUrl: first.returnUrl,
  });
});

test('no proof is recorded in a sign-in whose redirect the browser has followed', async () => {
  await signIn(application().openBrowser());
  const { database } = application().services;
  const [followed] = await readSignIns();
  expect(followed?.followedAt).toBeInstanceOf(Date);
  if (followed?.userId === undefined) throw new Error('The sign-in has no user');
  const { security_version: securityVersion } = await database
    .selectFrom('users')
    .select('security_version')
    .where('id', '=', followed.userId)
    .executeTakeFirstOrThrow();
  const now = application().clock.now();
  const account = { id: followed.userId, securityVersion };
  const proofs = { signIn: followed, account, proved: { password: { at: now } }, at: now };
  expect(await recordProofs(database, proofs)).toBeUndefined();
});

test('a proof is recorded only while the sign-in has the earlier proofs that the decision relied on', async () => {
  const { database } = application().services;
  const browser = application().openBrowser();
  await sendPassword(browser, await beginSignIn(browser, portal), newcomer);
  const [open] = await readSignIns();
  if (open?.userId === undefined || open.proofs.password === undefined)
    throw new Error('No proof was recorded');
  const { userId: id, proofs } = open;
  const at = application().clock.now();
  const account = { id, securityVersion: open.proofs.password.securityVersion };
  const proved = { 'password-change': { at } };
  const record = (reliedOn: readonly ProofKind[]) =>
    recordProofs(database, { signIn: open, account, proved, at, reliedOn });
  expect(await record(['password', 'sms-code'])).toBeUndefined();
  expect((await record(['password']))?.proofs).toMatchObject({ ...proofs, ...proved });
});

test.each([
  [false, 1],
  [true, 0],
])(
  'an expired sign-in of a browser whose session has ended (%s) is stored %i times',
  async (hasEnded, left) => {
    const { database } = application().services;
    const browser = application().openBrowser();
    await signIn(browser);
    const now = application().clock.now();
    await database.updateTable('sign_ins').set({ expires_at: now }).execute();
    if (hasEnded) await database.updateTable('sessions').set({ ended_at: now }).execute();
    await pruneSignIns(database, now);
    expect(await readSignIns()).toHaveLength(left);
  },
);
