// A server with Auth.js.
// npx anteroom clients add sample --display-name Sample --id-token-profile \
//   --redirect-uris http://localhost:3000/auth/callback/anteroom --post-logout-redirect-uris http://localhost:3000/
import { randomBytes } from 'node:crypto';
import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';
import { signedIn, signedOut } from './page.js';

const {
  ISSUER = 'http://localhost:4400',
  CLIENT_ID = 'sample',
  CLIENT_SECRET,
  PORT = '3000',
  SITE,
} = process.env;
const baseURL = `http://localhost:${PORT}`;

const config = {
  basePath: '/auth',
  trustHost: true,
  secret: randomBytes(32).toString('hex'),
  providers: [
    {
      id: 'anteroom',
      name: 'Anteroom',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      checks: ['pkce', 'state', 'nonce'],
      authorization: { params: { scope: 'openid profile email', ...(SITE && { site: SITE }) } },
    },
  ],
  callbacks: {
    // The parameter suggests a site; the claim names the site that the user selected.
    signIn: ({ profile }) => !SITE || profile.site === SITE,
    jwt: ({ token, profile, account }) =>
      profile ? { ...token, site: profile.site, idToken: account.id_token } : token,
    // A sign-out continues at the identity service.
    redirect: ({ url }) =>
      [baseURL, ISSUER].includes(new URL(url, baseURL).origin) ? new URL(url, baseURL).href : baseURL,
    session: ({ session, token }) => ({ ...session, site: token.site, idToken: token.idToken }),
  },
};

const app = express();
app.use('/auth', ExpressAuth(config));
app.get('/favicon.ico', (_request, response) => response.status(204).end());
app.get('/', async (request, response) => {
  const session = await getSession(request, config);
  if (!session) return response.send(signedOut('/auth/signin'));
  const { user, site, idToken } = session;
  const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: `${baseURL}/` });
  const callbackUrl = `${ISSUER}/connect/session/end?${query}`;
  return response.send(
    signedIn({ name: user.name, site }, `/auth/signout?${new URLSearchParams({ callbackUrl })}`),
  );
});
app.listen(Number(PORT), 'localhost', () => process.send?.('ready'));
