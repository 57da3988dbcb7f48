import { ContractError } from '../http/errors.ts';
import { addSeconds } from '../lib/clock.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findClient } from './clients-store.ts';
import { findTargetLink, initiateLoginAddress } from './initiate-login.ts';
import { finishingSignIn } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';

/** The page asks once more after a few seconds where it is to go; after that nobody does. */
const followSeconds = 60;

/**
 * A sign-in that was made for the page of another region answers no request here: the application is asked to begin one, and the session
 * that has just begun answers it at once.
 */
export async function finishForRegion(
  { config, database, clock }: Pick<Services, 'config' | 'database' | 'clock'>,
  signIn: SignIn,
  session: SignedInSession,
): Promise<string> {
  const now = clock.now();
  const { rows } = await finishingSignIn(
    signIn,
    session.personId,
    now,
    addSeconds(now, followSeconds),
  ).execute(database);
  if (rows.length === 0) throw new ContractError('not_found', { detail: 'the sign-in has expired' });
  return await findBeginning({ config, database }, signIn);
}

/** Where the application begins a sign-in at this region. */
export async function findBeginning(
  { config, database }: Pick<Services, 'config' | 'database'>,
  { clientId, parameters }: Pick<SignIn, 'clientId' | 'parameters'>,
): Promise<string> {
  const client = await findClient(database, clientId);
  if (client?.initiateLoginUri === undefined)
    throw new ContractError('not_found', { detail: 'the application has no initiate_login_uri any more' });
  const targetLink = findTargetLink(client.initiateLoginUri, parameters['target_link_uri']);
  return initiateLoginAddress(client.initiateLoginUri, config.publicUrl, { targetLink });
}
