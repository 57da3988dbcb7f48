import { errors, interactionPolicy } from 'oidc-provider';
import type { InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import { hasOwnFactor } from '../factors/factors.ts';
import type { Services } from '../services.ts';
import { acrValues, reachesAcr } from '../sessions/assurance.ts';
import type { Database } from '../store/schema.ts';
import { findActiveUser } from '../users/users-store.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { isHintedUser } from './prompts.ts';
import { readRequestedAcr } from './requested-acr.ts';

const { Check, Prompt, base } = interactionPolicy;
type Policy = ReturnType<typeof base>;

/**
 * The policy that decides when the provider requires interaction. Prompts are checked in this order, one at a time.
 * `switch_tenant` is a complete sign-in at another site, so it comes before `login`; otherwise the user would sign in
 * twice.
 */
export function createPolicy(
  { database }: Pick<Services, 'database'>,
  exchanges: ExchangesByRequest,
): Policy {
  const policy = base();
  policy.remove('consent');

  const login = policy.get('login');
  if (login === undefined) throw new Error('The provider has no login prompt any more');
  login.checks.add(
    new Check('own_session', 'the sign-in session has ended', (ctx) => needsSignIn(ctx, exchanges)),
  );
  login.checks.add(
    new Check('another_user_hinted', 'login_hint names another user', 'login_required', (ctx) =>
      hintsAnotherUser(ctx, database),
    ),
  );
  // The provider's two acr checks would prompt endlessly if a sign-in cannot reach the requested acr.
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
 * The provider's session counts only while the service's session is valid, belongs to the same user and has a site.
 * When the service's session ends, the provider's session is therefore useless on every node, even if the browser still
 * has its cookie.
 */
async function needsSignIn(
  { req, oidc }: KoaContextWithOIDC,
  exchanges: ExchangesByRequest,
): Promise<boolean> {
  const accountId = oidc.session?.accountId;
  if (accountId === undefined) return Check.NO_NEED_TO_PROMPT;
  const found = await exchanges.require(req).findSession();
  const same =
    found.state === 'valid' && found.session.userId === accountId && found.session.authSite !== undefined;
  return same ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
}

/**
 * Whether the client's `login_hint` names another user than the signed-in one. The page then fills in the hinted name.
 * Any user can sign in on that page, because a hint is not a requirement (OpenID Connect Core, 3.1.2.1).
 */
async function hintsAnotherUser({ oidc }: KoaContextWithOIDC, database: Database): Promise<boolean> {
  const accountId = oidc.session?.accountId;
  if (accountId === undefined || oidc.result?.login !== undefined) return Check.NO_NEED_TO_PROMPT;
  const isHinted = await isHintedUser(database, oidc.params ?? {}, accountId);
  return isHinted ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
}

/**
 * Whether the requested `acr` requires further authentication. A voluntary value that the user cannot reach is ignored,
 * and the ID token contains the reached acr.
 * @throws `unmet_authentication_requirements` for an essential value that this sign-in or this user cannot reach
 */
async function needsStrongerSignIn(
  { req, oidc }: KoaContextWithOIDC,
  database: Database,
  exchanges: ExchangesByRequest,
): Promise<boolean> {
  const { values, essential } = readRequestedAcr(oidc.params ?? {});
  const accountId = oidc.session?.accountId;
  if (accountId === undefined || values.some((value) => reachesAcr(oidc.session?.acr, value)))
    return Check.NO_NEED_TO_PROMPT;
  const isKnown = values.some((value) => acrValues.includes(value));
  if (!essential && (!isKnown || oidc.prompts.has('none'))) return Check.NO_NEED_TO_PROMPT;

  const found = await exchanges.require(req).findSession();
  const isOverCompany = found.state === 'valid' && found.session.externallyAuthenticated;
  const user = await findActiveUser(database, accountId);
  const canReach = isKnown && !isOverCompany && user !== undefined && hasOwnFactor(user);
  if (canReach && !isProvedNow(oidc.result)) return Check.REQUEST_PROMPT;
  if (essential && values.length > 0)
    throw new errors.UnmetAuthenticationRequirements(`acr: the user cannot reach ${values.join(' or ')}`);
  return Check.NO_NEED_TO_PROMPT;
}

/** A prompt that an application can request. It is pending until its own result, or one that includes it, is present. */
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

/** Whether the user has just authenticated, so that a second authentication would add no security. */
function isProvedNow(result: InteractionResults | undefined): boolean {
  return result?.login?.['proved'] === true;
}

/**
 * Applications are first-party clients registered by the operator, so consent is agreed outside the flow.
 * `prompt=consent` is accepted (OpenID Connect Core, 11, requires it for `offline_access`) and shows no page.
 */
function impliedConsent(): InstanceType<typeof Prompt> {
  const prompt = new Prompt({ name: 'consent', requestable: true });
  prompt.checks.clear();
  return prompt;
}
