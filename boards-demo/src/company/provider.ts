import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { createMemory } from './memory.ts';
import { messagePage } from './pages.ts';
import { employees } from './people.ts';
import { leaveUnlessSignedIn, signOutPages } from './sign-out.ts';

/** Where the company is, below the portal's address. */
export const companyPath = '/company';

/** The sign-in service as the company knows it: a public client, so that no secret stands in the sources (PKCE is asked of it). */
const clientId = 'anteroom';

const minuteSeconds = 60;

/** The company's own OpenID provider: a real one, with keys that are made anew at each start. */
export function createCompanyProvider(config: { issuer: string; signInUrls: readonly string[] }): Provider {
  const provider = new Provider(config.issuer, {
    adapter: createMemory(),
    clients: [
      {
        client_id: clientId,
        redirect_uris: config.signInUrls.map((url) => `${url}/external/callback`),
        post_logout_redirect_uris: config.signInUrls.map((url) => `${url}/external/signed-out`),
        // one service of all regions knows the company
        backchannel_logout_uri: `${config.signInUrls[0] ?? ''}/external/back-channel-sign-out/corp`,
        backchannel_logout_session_required: true,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [createKey()] },
    pkce: { required: () => true },
    // cookies do not know ports: on one machine the sign-in service sees these too
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      names: { session: 'company_session', interaction: 'company_trip', resume: 'company_resume' },
      long: { path: companyPath, sameSite: 'lax' },
      short: { sameSite: 'lax' },
    },
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'name'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true, ...signOutPages },
    },
    // the sign-in service is on the same machine, which the library's guard of the inner network would refuse
    fetch: (address, options) => fetch(address, Object.assign({ ...options }, { dispatcher: undefined })),
    interactions: { url: (_ctx, { uid }) => `${companyPath}/sign-in/${uid}` },
    ttl: {
      AccessToken: 5 * minuteSeconds,
      AuthorizationCode: minuteSeconds,
      Grant: 60 * minuteSeconds,
      IdToken: 5 * minuteSeconds,
      Interaction: 10 * minuteSeconds,
      Session: 60 * minuteSeconds,
    },
    findAccount: (_ctx, sub) => {
      const employee = employees.find((one) => one.sub === sub);
      return (
        employee && {
          accountId: sub,
          claims: () => ({
            sub,
            email: employee.email,
            email_verified: employee.emailVerified,
            given_name: employee.firstName,
            family_name: employee.lastName,
            name: `${employee.firstName} ${employee.lastName}`,
          }),
        }
      );
    },
    // the company's own applications need nobody's consent
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    renderError(ctx) {
      ctx.type = 'html';
      ctx.body = messagePage('This cannot go on', 'Go back to where you came from and begin again.');
    },
  });
  provider.use(leaveUnlessSignedIn);
  return provider;
}

function createKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(6).toString('hex');
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
}
