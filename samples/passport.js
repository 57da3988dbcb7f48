// A server with passport-openidconnect, which has no PKCE.
// npx anteroom clients add sample --display-name Sample --pkce-optional --authentication client_secret_post \
//   --redirect-uris http://localhost:3000/callback --post-logout-redirect-uris http://localhost:3000/
import { randomBytes } from 'node:crypto';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-openidconnect';
import { signedIn, signedOut } from './page.js';

const {
  ISSUER = 'http://localhost:4400',
  CLIENT_ID = 'sample',
  CLIENT_SECRET,
  PORT = '3000',
  SITE,
} = process.env;
const baseURL = `http://localhost:${PORT}`;

const strategy = new Strategy(
  {
    issuer: ISSUER,
    authorizationURL: `${ISSUER}/connect/authorize`,
    tokenURL: `${ISSUER}/connect/token`,
    userInfoURL: `${ISSUER}/connect/userinfo`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    callbackURL: `${baseURL}/callback`,
    scope: ['profile', 'email'],
    nonce: true,
    skipUserProfile: false,
  },
  (_issuer, profile, _context, idToken, done) => {
    const { site } = JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url').toString());
    // The parameter suggests a site; the claim names the site that the user selected.
    if (SITE && site !== SITE) done(null, false, { message: `The user entered ${site}` });
    else done(null, { name: profile.displayName, site, idToken });
  },
);
if (SITE) strategy.authorizationParams = () => ({ site: SITE });
passport.use('anteroom', strategy);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: randomBytes(32).toString('hex'), resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get('/login', passport.authenticate('anteroom'));
app.get('/callback', passport.authenticate('anteroom', { successRedirect: '/' }));
app.get('/logout', ({ session, user }, response) => {
  const query = new URLSearchParams({ id_token_hint: user.idToken, post_logout_redirect_uri: `${baseURL}/` });
  session.destroy(() => response.redirect(`${ISSUER}/connect/session/end?${query}`));
});
app.get('/', ({ user }, response) => {
  response.send(user ? signedIn(user, '/logout') : signedOut('/login'));
});
app.listen(Number(PORT), 'localhost', () => process.send?.('ready'));
