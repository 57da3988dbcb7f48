import { endSessions } from '../openid/end-sessions.ts';
import type { EndedSession, MeantSessions } from '../openid/end-sessions.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import type { Account } from './require-account.ts';

/** Ends a session of the user in another browser. Does nothing if there is no such session. */
export async function endSessionOf(
  services: SignInServices,
  account: Account,
  idHash: string,
): Promise<void> {
  const { person, session } = account;
  const own = await services.database
    .selectFrom('sessions')
    .select('id_hash')
    .where('id_hash', '=', idHash)
    .where('person_id', '=', person.id)
    .where('browser_id', '!=', session.browserId)
    .executeTakeFirst();
  if (own !== undefined) await end(services, account, { idHashes: [own.id_hash] });
}

/** Ends every other session of the user, and revokes the tokens of applications, including refresh tokens. */
export async function endOtherSessionsOf(services: SignInServices, account: Account): Promise<void> {
  await end(services, account, { personId: account.person.id, exceptIdHash: account.session.idHash });
}

async function end(
  { database, clock, openid, audit }: SignInServices,
  { exchange }: Account,
  meant: MeantSessions,
): Promise<void> {
  const ended: EndedSession[] = await database
    .transaction()
    .execute((transaction) => endSessions(transaction, meant, clock.now()));
  openid.notifyApplications();
  const reason = 'the user ended it on the account page';
  for (const { idHash: sessionHash, personId, site } of ended)
    audit.note({ event: 'session.end', result: 'success', reason, personId, sessionHash, site }, exchange);
}

/** Forgets the computers on which the user skips the code. */
export async function forgetComputersOf(
  { secondFactor, audit }: SignInServices,
  { person, exchange }: Account,
): Promise<void> {
  const devicesForgotten = await secondFactor.devices.forgetAllOf(person.id);
  const details = { devicesForgotten: String(devicesForgotten) };
  audit.note({ event: 'device.forget', result: 'success', personId: person.id, details }, exchange);
}
