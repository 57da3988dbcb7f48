import type { AuthContext, AuthResponse } from '@anteroom/contract';
import { isSiteSelectionDue } from './context.ts';
import type { AuthCall } from './events.ts';
import type { FlowState } from './model.ts';

/** What a read of the context has found after a call that was not answered; `gone`: the service knows no such sign-in any more. */
export type FoundAfterwards = AuthContext | 'gone';

function answer(status: AuthResponse['status']): AuthResponse {
  return {
    status,
    location: undefined,
    authSiteIdentityBaseUri: undefined,
    mfaAdaptivePolicyEnabled: undefined,
    mfaPhoneNumberSuffix: undefined,
    mfaCodeValidityInMinutes: undefined,
  };
}

/**
 * The answer that a call would have had, as far as the context tells that the service has acted on it (attacks and faults, F13); undefined
 * when it tells nothing of the kind: then the visitor may try again.
 * A sign-in that is gone was finished without this browser hearing of it, the new session among the rest: where to go on, perhaps from
 * the beginning, is then for the service to say, as after any answer without a location.
 */
export function lostAnswer(
  before: Pick<FlowState, 'context' | 'site'>,
  found: FoundAfterwards,
  by: AuthCall,
): AuthResponse | undefined {
  if (found === 'gone') return answer('redirect');
  const session = before.context?.session;
  if (by === 'select-site')
    return found.session.authSite === before.site && session?.authSite !== before.site
      ? answer('redirect')
      : undefined;
  if (found.session.state !== 'valid' || session?.state === 'valid') return undefined;
  if (found.promptMethod === 'change_password') return answer('password_reset_required');
  return answer(isSiteSelectionDue(found) ? 'select_site_required' : 'redirect');
}
