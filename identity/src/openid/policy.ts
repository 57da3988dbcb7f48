import { interactionPolicy } from 'oidc-provider';
import type { InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import type { Exchanges } from './exchanges.ts';

const { Check, Prompt, base } = interactionPolicy;
type Policy = ReturnType<typeof base>;

/**
 * When the provider has to ask somebody. Prompts are asked in this order, one at a time:
 * `switch_tenant` stands before `login` because it is a whole sign-in at another site, and asking twice would be silly.
 */
export function createPolicy(exchanges: Exchanges): Policy {
  const policy = base();
  policy.remove('consent');

  const login = policy.get('login');
  if (login === undefined) throw new Error('The provider has no login prompt any more');
  login.checks.add(
    new Check('own_session', 'the sign-in session has ended', (ctx) => needsSignIn(ctx, exchanges)),
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
