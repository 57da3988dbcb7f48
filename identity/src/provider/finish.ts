import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import { ContractError } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { SignedInSession, WrittenWithSession } from '../sessions/session.ts';
import { readTogether } from '../store/read-together.ts';
import { finishingSignIn, recordingProofs } from '../sign-in/sign-ins-store.ts';
import { findEvidence, methodsOfProofs } from '../sign-in/proofs.ts';
import type { Proofs } from '../sign-in/proofs.ts';
import type { NewProofs, SignIn } from '../sign-in/sign-ins-store.ts';
import { addSeconds } from '../lib/clock.ts';
import { fingerprint } from './fingerprint.ts';
import { answeredBy, loginResult } from './interactions.ts';
import { buildReturnUrl } from './return-url.ts';
import { findClient } from './clients-store.ts';
import { findTargetLink, initiateLoginAddress } from './initiate-login.ts';

/** The facts of a session that a finished sign-in reports. */
type ReportedSession = Pick<SignedInSession, 'userId' | 'securityVersion' | 'methods'>;

export type FinishSignIn = {
  /**
   * Finishes the sign-in for a session and returns the URL that the browser follows next.
   * @throws `not_found` if it has expired
   */
  finish: (signIn: SignIn, session: SignedInSession) => Promise<string>;
  /**
   * Writes what `finish` writes, in the statement that begins the session; undefined if this sign-in needs a separate
   * statement. `proofs`: those of the sign-in that the statement also records, in the same update of its row, because a
   * statement can update a row only once.
   */
  alongside: (
    signIn: SignIn,
    session: ReportedSession,
    proofs: NewProofs | undefined,
  ) => WrittenWithSession | undefined;
  /**
   * The URL that `finish` returns.
   * @throws `not_found` unless the sign-in `isFinished`
   */
  requireLocation: (signIn: SignIn, isFinished: boolean) => string;
};

/**
 * Reports the completed steps to the provider. A single statement writes what `provider.interactionResult` writes
 * (`result`, merged with the results of earlier prompts of the same request) and marks the sign-in as finished. The
 * result of an earlier prompt counts only if the same user answered it with the same security version. If the request
 * started in another user's session, that session is removed from the interaction; otherwise the provider would use it
 * again.
 */
export function createFinishSignIn({
  config,
  database,
  clock,
}: Pick<Services, 'config' | 'database' | 'clock'>): FinishSignIn {
  const partsOf = (
    signIn: SignIn,
    session: ReportedSession,
    when: RawBuilder<boolean>,
    proofs?: NewProofs,
  ) => {
    const { userId: id, securityVersion } = session;
    const evidence = findEvidence(signIn, { id, securityVersion });
    const now = clock.now();
    const result = JSON.stringify(resultOf(signIn, evidence, session, now));
    return {
      finished: proofs
        ? recordingProofs(database, proofs, when, { isFinished: true })
        : finishingSignIn(signIn, id, now, { when }),
      reported: sql<{ id: string }>`update openid_records set payload =
        (case when payload -> 'session' ->> 'accountId' <> ${id} then payload - 'session' else payload end)
        || jsonb_build_object('result', case when payload -> 'lastSubmission' ->> 'answeredBy' = ${answeredBy(session)}
            then payload -> 'lastSubmission' else '{}' end || ${result}::jsonb)
        from finished
        where model = 'Interaction' and id = ${fingerprint(signIn.uid)} and openid_records.expires_at > ${now}
        returning id`,
    };
  };
  const requireLocation = ({ uid, parameters }: SignIn, isFinished: boolean): string => {
    if (!isFinished) throw new ContractError('not_found', { detail: 'the interaction has expired' });
    return `${config.publicUrl}${buildReturnUrl(uid, parameters)}`;
  };

  return {
    async finish(signIn, session) {
      if (signIn.region !== undefined)
        return await finishForRegion({ config, database, clock }, signIn, session);
      const { reported } = await readTogether(database, partsOf(signIn, session, sql`true`));
      return requireLocation(signIn, reported !== undefined);
    },
    alongside(signIn, session, proofs) {
      if (signIn.region !== undefined) return undefined;
      return { parts: (isBegun) => partsOf(signIn, session, isBegun, proofs), last: 'reported' };
    },
    requireLocation,
  };
}

/** The result for the requested prompt, without results for other prompts. */
function resultOf(signIn: SignIn, evidence: Proofs, session: ReportedSession, now: Date): InteractionResults {
  const proved = (evidence.password ?? evidence.company ?? evidence.passkey) !== undefined;
  const isStronger = methodsOfProofs(evidence).length > 0;
  return {
    answeredBy: answeredBy(session),
    ...(isStronger || signIn.promptMethod === undefined
      ? loginResult(session, { provedAt: proved ? now : undefined })
      : {}),
    ...(proved && signIn.promptMethod === 'elevate' ? { elevate: {} } : {}),
    ...(proved && signIn.promptMethod === 'switch_tenant' ? { switch_tenant: {} } : {}),
    ...(evidence['site-choice'] === undefined ? {} : { switch_site: {} }),
    ...(evidence['password-change'] === undefined ? {} : { change_password: {} }),
  };
}

/** How long the redirect target can be requested again; a page repeats the request within a few seconds, if at all. */
const followSeconds = 60;

/**
 * Finishes a sign-in that was started from another region's page. No authorization request is pending here: the browser
 * is redirected to the application, which starts one, and the new session answers that request at once.
 */
async function finishForRegion(
  { config, database, clock }: Pick<Services, 'config' | 'database' | 'clock'>,
  signIn: SignIn,
  session: SignedInSession,
): Promise<string> {
  const now = clock.now();
  const expiresAt = addSeconds(now, followSeconds);
  const { rows } = await finishingSignIn(signIn, session.userId, now, { expiresAt }).execute(database);
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
