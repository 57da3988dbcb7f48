import type { PromptMethod } from '@anteroom/contract';
import type { SignedInSession } from '../sessions/session.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';

/** What an application asks for with `prompt=`, each in one row. */
type Prompt = {
  /** The person proves who they are again, though a session may be good. */
  asksProof: boolean;
  /** It is asked of the person who is signed in, and of nobody else. */
  keepsPerson: boolean;
  /** The site of the session stays the site. */
  keepsSite: boolean;
};

const prompts: Record<PromptMethod, Prompt> = {
  elevate: { asksProof: true, keepsPerson: true, keepsSite: true },
  switch_site: { asksProof: false, keepsPerson: true, keepsSite: false },
  switch_tenant: { asksProof: true, keepsPerson: false, keepsSite: false },
  change_password: { asksProof: false, keepsPerson: true, keepsSite: true },
};

type Asked = Pick<SignIn, 'promptMethod' | 'reasons'>;
type Requested = Pick<SignIn, 'reasons' | 'parameters' | 'lastStepAt'>;

/** Reasons of the provider that our own valid session answers: nobody asked for a proof. */
const answeredBySession = new Set(['no_session', 'own_session']);
/** Reasons with which the application says that it wants another person than the one who is signed in. */
const otherPersonReasons = new Set(['id_token_hint', 'claims_id_token_sub_value', 'another_region']);

export function parsePromptMethod(name: string): PromptMethod | undefined {
  return Object.hasOwn(prompts, name) ? (name as PromptMethod) : undefined;
}

export function isAnsweredBySession({ reasons }: Pick<Asked, 'reasons'>): boolean {
  return reasons.every((reason) => answeredBySession.has(reason));
}

/**
 * Whether a session that began after the last step of the sign-in, as in another tab, answers it: the same request would pass without a
 * page if it came now. An explicit `prompt` is always asked, and so is everything that the session already failed when the sign-in began.
 */
export function isAnsweredByLaterSession(
  { reasons, parameters, lastStepAt }: Requested,
  { authenticatedAt }: Pick<SignedInSession, 'authenticatedAt'>,
  now: Date,
): boolean {
  const otherReasons = reasons.filter((reason) => reason !== 'max_age');
  return (
    authenticatedAt >= lastStepAt &&
    parameters['prompt'] === undefined &&
    isAnsweredBySession({ reasons: otherReasons }) &&
    isRecentEnough(authenticatedAt, parameters['max_age'], now)
  );
}

/** Counts whole seconds as the provider does: `auth_time` has no others (OpenID Connect Core, 3.1.2.1). */
function isRecentEnough(authenticatedAt: Date, maxAge: string | undefined, now: Date): boolean {
  const ageSeconds = Math.floor(now.getTime() / 1000) - Math.floor(authenticatedAt.getTime() / 1000);
  return maxAge === undefined || ageSeconds <= Number(maxAge);
}

/** Whether the application wants the person to prove who they are, though a session may be good. */
export function isProofRequested({ promptMethod, reasons }: Asked): boolean {
  return promptMethod === undefined ? !isAnsweredBySession({ reasons }) : prompts[promptMethod].asksProof;
}

/** Whether it is a sign-in from the beginning, and not a confirmation within a session. */
export function isWholeSignIn(asked: Asked): boolean {
  return (
    isProofRequested(asked) && (asked.promptMethod === undefined || !prompts[asked.promptMethod].keepsPerson)
  );
}

/** Whether a valid session names the person of this sign-in: then nobody else may be entered. */
export function isSamePersonAsked({ promptMethod, reasons }: Asked): boolean {
  const keepsPerson = promptMethod === undefined || prompts[promptMethod].keepsPerson;
  return keepsPerson && !reasons.some((reason) => otherPersonReasons.has(reason));
}

/** Whether the sign-in confirms who is at the session's site, and leads to no other. */
export function isSiteKept({ promptMethod }: Pick<Asked, 'promptMethod'>): boolean {
  return promptMethod !== undefined && prompts[promptMethod].keepsSite;
}
