import { sql } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import { ContractError } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { fingerprint } from './fingerprint.ts';
import { finishForRegion } from './finish-for-region.ts';
import { answeredBy, loginResult } from './interactions.ts';
import { buildReturnUrl } from './return-url.ts';
import { finishingSignIn } from '../sign-ins/sign-ins-store.ts';
import { findEvidence } from '../sign-ins/proofs.ts';
import type { Proofs } from '../sign-ins/proofs.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';

export type FinishSignIn = (signIn: SignIn, session: SignedInSession) => Promise<string>;

/**
 * Tells the provider what the person has passed; answers the address that the browser follows from here.
 * It writes what `provider.interactionResult` writes (`result`, over what an earlier prompt of the same request has brought),
 * in one statement that also notes the sign-in as finished: either both are so or neither. What an earlier prompt has brought counts when
 * the same person answered it, in the same state of their account. A session of another person that the request
 * began in is left out of it: the provider would go back to that one.
 */
export function createFinishSignIn({
  config,
  database,
  clock,
}: Pick<Services, 'config' | 'database' | 'clock'>): FinishSignIn {
  return async (signIn, session) => {
    if (signIn.region !== undefined)
      return await finishForRegion({ config, database, clock }, signIn, session);
    const { personId: id, securityVersion } = session;
    const evidence = findEvidence(signIn, { id, securityVersion });
    const result = JSON.stringify(resultOf(signIn, evidence, session));
    const { rows } = await sql`
      with finished as (${finishingSignIn(signIn, id, clock.now())})
      update openid_records set payload =
        (case when payload -> 'session' ->> 'accountId' <> ${id} then payload - 'session' else payload end)
        || jsonb_build_object('result', case when payload -> 'lastSubmission' ->> 'answeredBy' = ${answeredBy(session)}
            then payload -> 'lastSubmission' else '{}' end || ${result}::jsonb)
      from finished
      where model = 'Interaction' and id = ${fingerprint(signIn.uid)} and expires_at > ${clock.now()}
      returning id`.execute(database);
    if (rows.length === 0) throw new ContractError('not_found', { detail: 'the interaction has expired' });
    return `${config.publicUrl}${buildReturnUrl(signIn.uid, signIn.parameters)}`;
  };
}

/** Each prompt is finished by its own step alone; a key that nobody asked for changes nothing. */
function resultOf(signIn: SignIn, evidence: Proofs, session: SignedInSession): InteractionResults {
  const proved = (evidence.password ?? evidence.company ?? evidence.passkey) !== undefined;
  return {
    answeredBy: answeredBy(session),
    ...(proved || signIn.promptMethod === undefined ? loginResult(session, { proved }) : {}),
    ...(proved && signIn.promptMethod === 'elevate' ? { elevate: {} } : {}),
    ...(proved && signIn.promptMethod === 'switch_tenant' ? { switch_tenant: {} } : {}),
    ...(evidence['site-choice'] === undefined ? {} : { switch_site: {} }),
    ...(evidence['password-change'] === undefined ? {} : { change_password: {} }),
  };
}
