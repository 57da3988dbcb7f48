import { errors, interactionPolicy } from 'oidc-provider';
import type { InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import type { Services } from '../services.ts';
import { acrValues, reachesAcr } from '../sessions/assurance.ts';
import type { Database } from '../store/schema.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Exchanges } from './exchanges.ts';
import { readRequestedAcr } from './requested-acr.ts';

const { Check, Prompt, base } = interactionPolicy;
type Policy = ReturnType<typeof base>;

/**
 * When the provider has to ask somebody. Prompts are asked in this order, one at a time:
 * `switch_tenant` stands before `login` because it is a whole sign-in at another site, and asking twice would be silly.
 */
export function createPolicy({ database }: Pick<Services, 'database'>, exchanges: Exchanges): Policy {
  const policy = base();
  policy.remove('consent');

  const login = policy.get('login');
  if (login === undefined) throw new Error('The provider has no login prompt any more');
  login.checks.add(
    new Check('own_session', 'the sign-in session has ended', (ctx) => needsSignIn(ctx, exchanges)),
  );
  // the provider's own two ask again after a sign-in that could not reach what is asked for, without end
  login.checks.remove('essential_acrs');
  login.checks.remove('essential_acr');
  login.checks.add(
    new Check('acr', 'the requested acr needs a stronger sign-in', (ctx) =>
      needsStrongerSignIn(ctx, database, exchanges),
    ),
  );

  policy.add(requestable('switch_tenant', isProvedNow), 0);
  policy.add(requestable('elevate', isProvedNow));
  policy.add(requestable('change_password'));
  policy.add(requestable('switch_site'));
  policy.add(impliedConsent());
  return policy;
}

/**
 * The provider's session is subordinate to ours: it counts only while ours is valid, is the same person's and has a
 * site. Ending ours therefore ends it on every node, and nobody is let in on the strength of an old provider cookie.
 */
async function needsSignIn({ req, oidc }: KoaContextWithOIDC, exchanges: Exchanges): Promise<boolean> {
  const accountId = oidc.session?.accountId;
  if (accountId === undefined) return Check.NO_NEED_TO_PROMPT;
  const found = await exchanges.require(req).findSession();
  const same =
    found.state === 'valid' && found.session.personId === accountId && found.session.authSite !== undefined;
  return same ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
}

/**
 * Whether the user proves more, for the `acr` that the client asks for. A value that is asked for as voluntary and cannot be reached is left,
 * and the ID token says what was reached.
 * @throws `unmet_authentication_requirements` for an essential value that this sign-in, or this user, cannot reach
 */
async function needsStrongerSignIn(
  { req, oidc }: KoaContextWithOIDC,
  database: Database,
  exchanges: Exchanges,
): Promise<boolean> {
  const { values, essential } = readRequestedAcr(oidc.params ?? {});
  const accountId = oidc.session?.accountId;
  if (accountId === undefined || values.some((value) => reachesAcr(oidc.session?.acr, value)))
    return Check.NO_NEED_TO_PROMPT;
  const isKnown = values.some((value) => acrValues.includes(value));
  if (!essential && (!isKnown || oidc.prompts.has('none'))) return Check.NO_NEED_TO_PROMPT;

  const found = await exchanges.require(req).findSession();
  const isOverCompany = found.state === 'valid' && found.session.externallyAuthenticated;
  const person = await findActivePerson(database, accountId);
  const hasFactor =
    person?.secondFactor !== undefined || (await listPasskeys(database, accountId)).length > 0;
  const canReach = isKnown && !isOverCompany && person !== undefined && hasFactor;
  if (canReach && !isProvedNow(oidc.result)) return Check.REQUEST_PROMPT;
  if (essential && values.length > 0)
    throw new errors.UnmetAuthenticationRequirements(`acr: the user cannot reach ${values.join(' or ')}`);
  return Check.NO_NEED_TO_PROMPT;
}

/** A prompt that an application may ask for: pending until its own result is there, or one that includes it. */
function requestable(
  name: string,
  isIncluded: (result: InteractionResults | undefined) => boolean = () => false,
): InstanceType<typeof Prompt> {
  const prompt = new Prompt({ name, requestable: true });
  prompt.checks.clear();
  prompt.checks.add(
    new Check(
      `${name}_prompt`,
      `${name} prompt was not resolved`,
      ({ oidc }) => oidc.prompts.has(name) && oidc.promptPending(name) && !isIncluded(oidc.result),
    ),
  );
  return prompt;
}

/** Somebody has just proved who they are: asking them to do so once more would protect nothing. */
function isProvedNow(result: InteractionResults | undefined): boolean {
  return result?.login?.['proved'] === true;
}

/**
 * Applications are first parties registered by the operator: what they may have is agreed outside. `prompt=consent` is
 * accepted (OpenID Connect Core, 11, wants it for `offline_access`) and has nothing to ask.
 */
function impliedConsent(): InstanceType<typeof Prompt> {
  const prompt = new Prompt({ name: 'consent', requestable: true });
  prompt.checks.clear();
  return prompt;
}
