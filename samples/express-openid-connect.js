// A server with express-openid-connect, with the library's form_post.
// npx anteroom clients add sample --display-name Sample --id-token-profile \
//   --redirect-uris http://localhost:3000/callback --post-logout-redirect-uris http://localhost:3000/
import { randomBytes } from 'node:crypto';
import express from 'express';
import { auth } from 'express-openid-connect';
import { signedIn, signedOut } from './page.js';

const {
  ISSUER = 'http://localhost:4400',
  CLIENT_ID = 'sample',
  CLIENT_SECRET,
  PORT = '3000',
  SITE,
} = process.env;
const baseURL = `http://localhost:${PORT}`;

const app = express();
app.use(
  auth({
    issuerBaseURL: ISSUER,
    baseURL,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: randomBytes(32).toString('hex'),
    authRequired: false,
    idpLogout: true,
    routes: { postLogoutRedirect: `${baseURL}/` },
    authorizationParams: {
      response_type: 'code',
      response_mode: 'form_post',
      scope: 'openid profile email',
      ...(SITE && { site: SITE }),
    },
    // The parameter suggests a site; the claim names the site that the user selected.
    afterCallback(_request, _response, session) {
      const { site } = JSON.parse(Buffer.from(session.id_token.split('.')[1], 'base64url').toString());
      if (SITE && site !== SITE) throw new Error(`The user entered ${site} instead of ${SITE}`);
      return session;
    },
  }),
);

app.get('/', ({ oidc }, response) => {
  response.send(oidc.isAuthenticated() ? signedIn(oidc.user, '/logout') : signedOut('/login'));
});

app.listen(Number(PORT), 'localhost', () => process.send?.('ready'));
