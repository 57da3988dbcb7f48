import { sql } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import { ContractError } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { fingerprint } from './fingerprint.ts';
import { finishForRegion } from './finish-for-region.ts';
import { loginResult } from './interactions.ts';
import { buildReturnUrl } from './return-url.ts';
import type { SignIn } from './sign-ins-store.ts';

export type FinishSignIn = (signIn: SignIn, session: SignedInSession) => Promise<string>;

/**
 * Tells the provider what the person has passed; answers the address that the browser follows from here.
 * It writes what `provider.interactionResult` writes (`result`, over what an earlier prompt of the same request has brought),
 * in one statement that also notes the sign-in as finished: either both are so or neither.
 */
export function createFinishSignIn({
  config,
  database,
  clock,
}: Pick<Services, 'config' | 'database' | 'clock'>): FinishSignIn {
  return async (signIn, session) => {
    if (signIn.region !== undefined)
      return await finishForRegion({ config, database, clock }, signIn, session);
    const result = JSON.stringify(resultOf(signIn, session));
    const { rows } = await sql`
      with finished as (
        update sign_ins set finished_at = ${clock.now()}, person_id = ${session.personId}
        where uid = ${signIn.uid} and browser_id = ${signIn.browserId}
        returning uid
      )
      update openid_records set payload = payload || jsonb_build_object(
        'result', coalesce(payload -> 'lastSubmission', '{}'::jsonb) || ${result}::jsonb)
      from finished
      where model = 'Interaction' and id = ${fingerprint(signIn.uid)} and expires_at > ${clock.now()}
      returning id`.execute(database);
    if (rows.length === 0) throw new ContractError('not_found', { detail: 'the interaction has expired' });
    return `${config.publicUrl}${buildReturnUrl(signIn.uid, signIn.parameters)}`;
  };
}

/** Each prompt is finished by its own step alone; a key that nobody asked for changes nothing. */
function resultOf(signIn: SignIn, session: SignedInSession): InteractionResults {
  const proved = signIn.passwordAt !== undefined || signIn.externalAt !== undefined;
  return {
    ...(proved || signIn.promptMethod === undefined ? loginResult(session, { proved }) : {}),
    ...(proved && signIn.promptMethod === 'elevate' ? { elevate: {} } : {}),
    ...(proved && signIn.promptMethod === 'switch_tenant' ? { switch_tenant: {} } : {}),
    ...(signIn.siteChosenAt === undefined ? {} : { switch_site: {} }),
    ...(signIn.passwordChangedAt === undefined ? {} : { change_password: {} }),
  };
}
