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

export function addAccountClient(services: Pick<Services, 'database' | 'config' | 'clock'>): void {
  addPageClient(services, accountClientId, pageAddress(services.config.publicUrl, 'account'));
}

/** Adds the client of a page of this service. */
export function addPageClient(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  id: string,
  address: string,
): void {
  addBuiltInClient(database, {
    id,
    display_name: id,
    cancel_uri: null,
    home_uri: address,
    customizations: {
      languageSelectionAndLinksDisabled: false,
      publicComputerSignInDisabled: true,
      signInCredentialsRecoveryDisabled: false,
      nestedUIEliminated: false,
    },
    adaptive_second_factor: false,
    metadata: {
      redirect_uris: [address],
      token_endpoint_auth_method: 'none',
      skip_splash: true,
    },
    created_at: clock.now(),
  });
}

/** The own password is proved at a site with passwords, which the user chooses in the session of a company. */
const prompts = {
  confirm: 'elevate',
  'change-password': 'change_password',
  'own-password': 'switch_site',
} as const;

/** The URL that starts the sign-in to re-verify the user of the account page. */
export function accountProofAddress(
  publicUrl: string,
  random: Random,
  {
    purpose,
    language,
    state,
  }: { purpose: keyof typeof prompts; language: string | undefined; state: string | undefined },
): string {
  const address = pageAddress(publicUrl, 'account');
  const client = { id: accountClientId, address };
  return proofAddress(publicUrl, random, client, { prompt: prompts[purpose], language, state });
}

/**
 * The URL that starts the sign-in to re-verify the user of a page of this service, with a second factor if the user has
 * one. No client knows the verifier of its PKCE challenge, so the returned authorization code cannot be redeemed.
 */
export function proofAddress(
  publicUrl: string,
  random: Random,
  client: { id: string; address: string },
  { prompt, language, state }: { prompt: string; language: string | undefined; state: string | undefined },
): string {
  const parameters = new URLSearchParams({
    client_id: client.id,
    scope: 'openid',
    redirect_uri: client.address,
    response_type: 'code',
    code_challenge: random.token(),
    code_challenge_method: 'S256',
    prompt,
    acr_values: secondFactorAcr,
    ...(language !== undefined && { requested_language: language }),
    ...(state !== undefined && { state }),
  });
  return `${publicUrl}${buildAuthorizeUrl(parameters)}`;
}
