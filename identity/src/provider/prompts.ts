import type { PromptMethod } from '@anteroom/contract';
import { describeAssurance, findLatest } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { SignIn } from '../sign-in/sign-ins-store.ts';
import type { Database } from '../store/schema.ts';
import { findUserByName } from '../users/users-store.ts';

/** The meaning of each `prompt` value. */
type Prompt = {
  /** The user authenticates again, even with a valid session. */
  asksProof: boolean;
  /** Only the signed-in user can answer this prompt. */
  keepsUser: boolean;
  /** The session's site does not change. */
  keepsSite: boolean;
};

const prompts: Record<PromptMethod, Prompt> = {
  elevate: { asksProof: true, keepsUser: true, keepsSite: true },
  switch_site: { asksProof: false, keepsUser: true, keepsSite: false },
  switch_tenant: { asksProof: true, keepsUser: false, keepsSite: false },
  change_password: { asksProof: false, keepsUser: true, keepsSite: true },
};

type Asked = Pick<SignIn, 'promptMethod' | 'reasons'>;
type Requested = Pick<SignIn, 'reasons' | 'parameters' | 'lastStepAt'>;

/**
 * The provider's reasons for a prompt that a valid session of the service satisfies, because no new authentication was
 * requested.
 */
const answeredBySession = new Set(['no_session', 'own_session', 'another_user_hinted']);
/** Reasons that mean that the application expects a user other than the signed-in one. */
const otherUserReasons = new Set(['id_token_hint', 'claims_id_token_sub_value', 'another_region']);

export function parsePromptMethod(name: string): PromptMethod | undefined {
  return Object.hasOwn(prompts, name) ? (name as PromptMethod) : undefined;
}

export function isAnsweredBySession({ reasons }: Pick<Asked, 'reasons'>): boolean {
  return reasons.every((reason) => answeredBySession.has(reason));
}

/**
 * Whether a session that started after the last step of the sign-in, for example in another tab, satisfies the sign-in:
 * the same request would now complete without a page. An explicit `prompt` always requires interaction. So does a check
 * that this session failed when the sign-in started.
 */
export function isAnsweredByLaterSession(
  { reasons, parameters, lastStepAt }: Requested,
  { methods }: Pick<SignedInSession, 'methods'>,
  now: Date,
): boolean {
  const latest = findLatest(methods);
  const otherReasons = reasons.filter((reason) => reason !== 'max_age');
  return (
    latest !== undefined &&
    latest >= lastStepAt &&
    parameters['prompt'] === undefined &&
    isAnsweredBySession({ reasons: otherReasons }) &&
    isRecentEnough(describeAssurance(methods).at, parameters['max_age'], now)
  );
}

/** Compares whole seconds, as the provider does: `auth_time` has no fractions (OpenID Connect Core, 3.1.2.1). */
function isRecentEnough(authenticatedAt: Date, maxAge: string | undefined, now: Date): boolean {
  const ageSeconds = Math.floor(now.getTime() / 1000) - Math.floor(authenticatedAt.getTime() / 1000);
  return maxAge === undefined || ageSeconds <= Number(maxAge);
}

/** Whether the application requires the user to authenticate, even with a valid session. */
export function isProofRequested({ promptMethod, reasons }: Asked): boolean {
  return promptMethod === undefined ? !isAnsweredBySession({ reasons }) : prompts[promptMethod].asksProof;
}

/**
 * Whether the application requested `prompt=elevate`, even if the user must first sign in because there is no session.
 */
export function isElevateRequested({
  promptMethod,
  parameters,
}: Pick<SignIn, 'promptMethod' | 'parameters'>): boolean {
  return promptMethod === 'elevate' || (parameters['prompt'] ?? '').split(' ').includes('elevate');
}

/** Whether this is a complete sign-in rather than a confirmation within a session. */
export function isWholeSignIn(asked: Asked): boolean {
  return (
    isProofRequested(asked) && (asked.promptMethod === undefined || !prompts[asked.promptMethod].keepsUser)
  );
}

/** Whether only the user of the valid session can complete this sign-in. */
export function isSameUserAsked({ promptMethod, reasons }: Asked): boolean {
  const keepsUser = promptMethod === undefined || prompts[promptMethod].keepsUser;
  return keepsUser && !reasons.some((reason) => otherUserReasons.has(reason));
}

/** Whether the sign-in confirms the user at the session's site and cannot lead to another site. */
export function isSiteKept({ promptMethod }: Pick<Asked, 'promptMethod'>): boolean {
  return promptMethod !== undefined && prompts[promptMethod].keepsSite;
}

/**
 * Whether the `login_hint` of a request names the user. An unknown name counts as another user's name, so that the
 * answer does not reveal which names exist. A request without a hint accepts every user.
 */
export async function isHintedUser(
  database: Database,
  { login_hint: hint }: Readonly<Record<string, unknown>>,
  userId: string,
): Promise<boolean> {
  if (typeof hint !== 'string' || hint === '') return true;
  return (await findUserByName(database, hint))?.id === userId;
}
