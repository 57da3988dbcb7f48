// A plain oidc-provider with its in-memory adapter, to measure the cost of a code flow without pages, passwords and a
// database. Runs as a separate process.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { demoParty } from '@anteroom/testkit/demo-users';
import { Provider } from 'oidc-provider';

const [port = '0', demoPort = '0'] = process.argv.slice(2);
const { clientId, redirectUri } = demoParty(Number(demoPort));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signInPath = '/sign-in/';

const provider = new Provider(`http://localhost:${port}`, {
  clients: [{ client_id: clientId, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
  cookies: { keys: ['of this measurement alone'] },
  claims: { profile: ['name'], email: ['email'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `${signInPath}${uid}` },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  loadExistingGrant: async ({ oidc: { client, session, provider: own } }) => {
    if (client === undefined || session?.accountId === undefined) return undefined;
    const grant = new own.Grant({ accountId: session.accountId, clientId: client.clientId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});
const handle = provider.callback();

createServer((request, response) => {
  if (request.url === '/processor') response.end(JSON.stringify(process.cpuUsage()));
  else if (request.url?.startsWith(signInPath) === true)
    void provider.interactionFinished(request, response, { login: { accountId: 'bench' } });
  else void handle(request, response);
}).listen(Number(port), 'localhost');
