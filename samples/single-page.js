// Serves the single-page application of this folder; the page does everything itself.
// npx anteroom clients add sample --display-name Sample --authentication none \
//   --redirect-uris http://localhost:3000/ --post-logout-redirect-uris http://localhost:3000/
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express from 'express';

const { ISSUER = 'http://localhost:4400', CLIENT_ID = 'sample', PORT = '3000', SITE } = process.env;
const library = dirname(createRequire(import.meta.url).resolve('oidc-client-ts/package.json'));

const app = express();
app.get('/settings.json', (_request, response) =>
  response.json({ issuer: ISSUER, clientId: CLIENT_ID, site: SITE }),
);
app.use('/library', express.static(join(library, 'dist/browser')));
app.get('/', (_request, response) => response.sendFile(join(import.meta.dirname, 'single-page.html')));
app.listen(Number(PORT), 'localhost', () => process.send?.('ready'));
