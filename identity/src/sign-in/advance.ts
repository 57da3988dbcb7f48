import { calls } from '@anteroom/contract';
import type { CallAnswer } from '@anteroom/contract';
import type { Knows } from '../factors/factors.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { buildReturnUrl } from '../provider/return-url.ts';
import { beginHandOver } from '../regions/hand-over.ts';
import { listSitesRequiringFactor } from '../sites/site-memberships-store.ts';
import type { Site } from '../sites/sites-store.ts';
import { beginProvedSession, enterSite, planWrites } from './begin-session.ts';
import type { UnrecordedProof, WithSession } from './begin-session.ts';
import { findNextStep } from './next-step.ts';
import type { Check } from './next-step.ts';
import { findPasskeyOffer } from './passkey-offer.ts';
import { askForSecondFactor, isDeviceRemembered } from './second-factor-step.ts';
import { isElsewhere, isOfConsole, toSignInFacts } from './sign-in-facts.ts';
import type { SignInServices } from './sign-in-services.ts';
import { recordProofs } from './sign-ins-store.ts';
import type { SignIn } from './sign-ins-store.ts';
import { knowsOf } from './visit.ts';
import type { Visit } from './visit.ts';

type AuthResponse = CallAnswer<'authenticate'>;

/**
 * Continues a sign-in after a successful step: requests the next step, or finishes the sign-in. Once the user is fully
 * authenticated, begins a session with a new id (attacks and faults, S22). `withSession` runs in the transaction that
 * begins the session. `proof` is recorded in the statement that begins the session, or before the next step.
 * @throws the contract error of a check that ends the attempt, such as `site_requires_mfa`; `unauthorized` if the
 * account changed during the call
 */
export async function advance(
  services: SignInServices,
  visit: Visit,
  { withSession, proof }: { withSession?: WithSession; proof?: UnrecordedProof } = {},
): Promise<AuthResponse> {
  const { signIn, user, site, exchange } = visit;
  const step = await findStep(services, visit);
  const writes = planWrites(step, visit);
  if (writes.proof === 'alone') await record(services, proof);
  if (writes.session === 'none') return await requestProof(services, writes.missing, visit);

  const isOfAnotherRegion = site !== undefined && isElsewhere(site, services.config.publicUrl);
  // Only a finished sign-in stores its site in the session. After a failed check, the next application would skip that
  // check; a site of another region gets its tokens there.
  const isFinished = step === undefined && !isOfAnotherRegion;
  const { session, location: finished } =
    writes.session === 'continued'
      ? { session: await enterSite(services, writes.continued, isFinished ? site : undefined) }
      : await beginProvedSession(services, visit, {
          withSession,
          proof: writes.proof === 'with-session' ? proof : undefined,
          isFinished,
        });
  if (step !== undefined) {
    return 'redirectTo' in step.otherwise && site !== undefined
      ? { status: 'redirect', location: externalRedirectAddress(services, signIn, site) }
      : toResponse(step, exchange);
  }
  if (isOfAnotherRegion) return await beginHandOver(services, signIn, { user, session, site }, exchange);
  const address = finished ?? (await services.provider.finishSignIn.finish(signIn, session));
  const location = (await findPasskeyOffer(services, { ...visit, session })) ?? address;
  await services.rememberedAccounts.noteSignIn(visit);
  const facts = { userId: user.id, clientId: signIn.clientId, site: site?.name };
  services.audit.note(
    { event: 'sign-in.finish', result: 'success', ...facts, sessionHash: session.idHash },
    exchange,
  );
  return { status: 'redirect', location, sessionValid: true };
}

async function record({ database }: SignInServices, proof: UnrecordedProof | undefined): Promise<void> {
  if (proof === undefined) return;
  const recorded = await recordProofs(database, proof.proofs, proof.succeeding);
  if (recorded === undefined) await proof.throwChanged();
  await proof.noteRecorded();
}

/** The first check that the sign-in fails; undefined if the sign-in is complete. */
export async function findStep(
  services: SignInServices,
  visit: Visit,
  knows: Knows = knowsOf(visit),
): Promise<Check | undefined> {
  const { signIn, user } = visit;
  return findNextStep(
    toSignInFacts(visit, {
      isRemembered: await isDeviceRemembered(services, visit),
      knows,
      ownUrl: services.config.publicUrl,
      now: services.clock.now(),
      demandingSites: isOfConsole(signIn)
        ? await listSitesRequiringFactor(services.database, user.id)
        : undefined,
    }),
  );
}

/** Requests the missing proof. Sends the message if the user must enter a code from one. */
async function requestProof(services: SignInServices, step: Check, visit: Visit): Promise<AuthResponse> {
  const response = toResponse(step, visit.exchange);
  return response.status === 'second_factor_required'
    ? { ...response, ...(await askForSecondFactor(services, visit)) }
    : response;
}

function toResponse({ name, reason, otherwise }: Check, exchange: Exchange): AuthResponse {
  if ('error' in otherwise) throw new ContractError(otherwise.error, { detail: reason });
  if ('redirectTo' in otherwise) throw new Error('A redirect to the provider of a site needs a site');
  exchange.log.info({ check: name }, 'a sign-in needs another step');
  return { status: otherwise.status };
}

/** The address that redirects to the site's identity provider; the sign-in continues when the browser returns. */
function externalRedirectAddress(
  { config }: SignInServices,
  { uid, parameters }: SignIn,
  site: Site,
): string {
  const query = new URLSearchParams({ site: site.name, returnUrl: buildReturnUrl(uid, parameters) });
  return `${config.publicUrl}${calls.getExternalRedirect.path}?${query.toString()}`;
}
