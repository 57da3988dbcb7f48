import type { AuthContext, AuthResponse } from '@anteroom/contract';
import { isSiteSelectionDue } from '@anteroom/contract/first-form';
import type { AuthCall } from './events.ts';
import type { FlowState } from './model.ts';

/** The context that was read after a call without an answer. `gone`: the service no longer knows the sign-in. */
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
 * The answer that a lost call must have had, inferred from the context (attacks and faults, F13); undefined if the
 * context shows no effect of the call, and the visitor can try again. A sign-in that the service no longer knows was
 * finished, but this browser got no answer. The service then decides where to go, as after any answer without a
 * location.
 */
export function lostAnswer(
  before: Pick<FlowState, 'context' | 'site'>,
  found: FoundAfterwards,
  call: AuthCall,
): AuthResponse | undefined {
  if (found === 'gone') return answer('redirect');
  const session = before.context?.session;
  if (call === 'selectSite')
    return found.session.authSite === before.site && session?.authSite !== before.site
      ? answer('redirect')
      : undefined;
  if (found.session.state !== 'valid' || session?.state === 'valid') return undefined;
  if (found.promptMethod === 'change_password') return answer('password_reset_required');
  return answer(isSiteSelectionDue(found) ? 'select_site_required' : 'redirect');
}
