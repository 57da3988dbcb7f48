import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { createMemory } from './memory.ts';
import { messagePage } from './pages.ts';
import { employees } from './people.ts';
import { leaveUnlessSignedIn, signOutPages } from './sign-out.ts';

/** The path of the company below the portal's address. */
export const companyPath = '/company';

/** The sign-in service as a client of the company: a public client with PKCE, so that the sources contain no secret. */
const clientId = 'anteroom';

const minuteSeconds = 60;

/** The company's OpenID provider, a real implementation with new keys at each start. */
export function createCompanyProvider(config: { issuer: string; signInUrls: readonly string[] }): Provider {
  const provider = new Provider(config.issuer, {
    adapter: createMemory(),
    clients: [
      {
        client_id: clientId,
        redirect_uris: config.signInUrls.map((url) => `${url}/external/callback`),
        post_logout_redirect_uris: config.signInUrls.map((url) => `${url}/external/signed-out`),
        // Only the first service is registered for back-channel logout.
        backchannel_logout_uri: `${config.signInUrls[0] ?? ''}/external/back-channel-sign-out/corp`,
        backchannel_logout_session_required: true,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [createKey()] },
    pkce: { required: () => true },
    // Distinct names: browsers send cookies to all ports of a host, so on one machine the sign-in service also gets
    // these cookies.
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
    // Allows requests to loopback addresses, which the library blocks by default: the sign-in service is on the same
    // machine.
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
    // The company's own applications need no consent.
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
  // Behind a proxy that terminates TLS, the addresses come from its X-Forwarded headers.
  provider.proxy = config.issuer.startsWith('https:');
  provider.use(leaveUnlessSignedIn);
  return provider;
}

function createKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(6).toString('hex');
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
}
