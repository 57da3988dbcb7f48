import { ContractError } from '../http/errors.ts';
import { addSeconds } from '../lib/clock.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findClient } from './clients-store.ts';
import { findTargetLink, initiateLoginAddress } from './initiate-login.ts';
import { finishingSignIn } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';

/** The page requests the redirect target again within a few seconds, if at all. */
const followSeconds = 60;

/**
 * Finishes a sign-in that was started from another region's page. No authorization request is pending here: the
 * application is redirected to start one, and the new session answers it at once.
 */
export async function finishForRegion(
  { config, database, clock }: Pick<Services, 'config' | 'database' | 'clock'>,
  signIn: SignIn,
  session: SignedInSession,
): Promise<string> {
  const now = clock.now();
  const expiresAt = addSeconds(now, followSeconds);
  const { rows } = await finishingSignIn(signIn, session.personId, now, { expiresAt }).execute(database);
  if (rows.length === 0) throw new ContractError('not_found', { detail: 'the sign-in has expired' });
  return await requireLoginAddress({ config, database }, signIn);
}

/** The URL at which the application starts a sign-in in this region. */
export async function requireLoginAddress(
  { config, database }: Pick<Services, 'config' | 'database'>,
  { clientId, parameters }: Pick<SignIn, 'clientId' | 'parameters'>,
): Promise<string> {
  const client = await findClient(database, clientId);
  if (client?.initiateLoginUri === undefined)
    throw new ContractError('not_found', { detail: 'the application has no initiate_login_uri any more' });
  const targetLink = findTargetLink(client.initiateLoginUri, parameters['target_link_uri']);
  return initiateLoginAddress(client.initiateLoginUri, config.publicUrl, { targetLink });
}
