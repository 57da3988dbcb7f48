import { pageAddress } from '../http/page-addresses.ts';
import type { Random } from '../lib/random.ts';
import { secondFactorAcr } from '../sessions/assurance.ts';
import type { Services } from '../services.ts';
import { addBuiltInClient } from './clients-store.ts';
import { buildAuthorizeUrl } from './return-url.ts';

/**
 * The OpenID client of the account page, which verifies its user through the standard sign-in. The page never redeems
 * the authorization code.
 */
export const accountClientId = 'anteroom-account';

export function addAccountClient({
  database,
  config,
  clock,
}: Pick<Services, 'database' | 'config' | 'clock'>): void {
  addBuiltInClient(database, {
    id: accountClientId,
    display_name: accountClientId,
    cancel_uri: null,
    home_uri: pageAddress(config.publicUrl, 'account'),
    customizations: {
      languageSelectionAndLinksDisabled: false,
      publicComputerSignInDisabled: true,
      signInCredentialsRecoveryDisabled: false,
      nestedUIEliminated: false,
    },
    adaptive_second_factor: false,
    metadata: {
      redirect_uris: [pageAddress(config.publicUrl, 'account')],
      token_endpoint_auth_method: 'none',
      skip_splash: true,
    },
    created_at: clock.now(),
  });
}

const prompts = { confirm: 'elevate', 'change-password': 'change_password' } as const;

/**
 * The URL that starts the sign-in to re-verify the user, with a second factor if the user has one. No client knows the
 * verifier of its PKCE challenge, so the returned authorization code cannot be redeemed.
 */
export function accountProofAddress(
  publicUrl: string,
  random: Random,
  {
    purpose,
    language,
    state,
  }: { purpose: keyof typeof prompts; language: string | undefined; state: string | undefined },
): string {
  const parameters = new URLSearchParams({
    client_id: accountClientId,
    scope: 'openid',
    redirect_uri: pageAddress(publicUrl, 'account'),
    response_type: 'code',
    code_challenge: random.token(),
    code_challenge_method: 'S256',
    prompt: prompts[purpose],
    acr_values: secondFactorAcr,
    ...(language !== undefined && { requested_language: language }),
    ...(state !== undefined && { state }),
  });
  return `${publicUrl}${buildAuthorizeUrl(parameters)}`;
}
