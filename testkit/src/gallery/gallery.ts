import { rightToLeftLocales, supportedLocales } from '@anteroom/contract';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { listen } from '../listen.ts';
import { sendJson, sendRedirect, sendText } from '../scripted/send.ts';
import { findStaticFile } from '../static-files.ts';
import { states } from '../states/states.ts';
import { stateGroups } from '../states/state.ts';
import { clients } from './clients.ts';
import { withColours } from './colours.ts';
import { mails } from './mails.ts';
import { openStateServer } from './state-server.ts';
import type { StateServer } from './state-server.ts';

export interface Gallery {
  url: string;
  close: () => Promise<void>;
}

const files: Readonly<Record<string, { name: string; contentType: string }>> = {
  '/': { name: 'index.html', contentType: 'text/html; charset=utf-8' },
  '/gallery.css': { name: 'gallery.css', contentType: 'text/css; charset=utf-8' },
  '/gallery.js': { name: 'gallery.js', contentType: 'text/javascript; charset=utf-8' },
};

/**
 * The recorded pictures. The overview shows pictures, because live states would share the cookies of one host and
 * interfere.
 */
const pictureFolder = new URL('../../../e2e/pictures/record/', import.meta.url);
const pictures = readdirSync(pictureFolder).filter((file) => file.endsWith('.png'));

/** The picture of a state in English and light colours; undefined for a state without its own picture. */
function findPicture(id: string): string | undefined {
  const ofState = pictures.filter((file) => file.startsWith(`${id}.`));
  return ofState.find((file) => file.includes('.en.light.')) ?? ofState[0];
}

const listing = [
  ...stateGroups.map((group) => ({
    group,
    states: states
      .filter((state) => state.group === group)
      .map(({ id, name }) => ({ id, name, picture: findPicture(id) })),
  })),
  { group: 'Mails', states: mails.map(({ id, name }) => ({ id, name, isMail: true })) },
];

/**
 * Serves the built front end in each of its states, and the service's e-mails. Each state has its own service and
 * origin, started on first use.
 * @param port a fixed port, so that links stay valid between runs; 0 for a free port
 */
export async function startGallery(port = 0): Promise<Gallery> {
  const stateServers = new Map<string, Promise<StateServer>>();
  const server = await listen(
    createServer((request, response) => {
      void answer(new URL(request.url ?? '/', server.url), response).catch((error: unknown) =>
        sendText(response, 'text/plain; charset=utf-8', String(error), 500),
      );
    }),
    port,
  );

  async function answer(url: URL, response: ServerResponse): Promise<void> {
    response.setHeader(
      'content-security-policy',
      "default-src 'self'; frame-src 'self' http://localhost:*; base-uri 'none'; frame-ancestors 'none'",
    );
    response.setHeader('cache-control', 'no-store');
    const file = files[url.pathname];
    if (file)
      return sendText(
        response,
        file.contentType,
        readFileSync(new URL(`page/${file.name}`, import.meta.url), 'utf8'),
      );
    const mark = url.pathname === '/favicon.svg' && findStaticFile('/ui/favicon.svg', false);
    if (mark) return sendText(response, mark.contentType, mark.content.toString('utf8'));
    if (url.pathname === '/states.json')
      return sendJson(response, 200, {
        groups: listing,
        locales: supportedLocales,
        rightToLeftLocales,
        clients: Object.keys(clients),
      });
    const picture = pictures.find((name) => url.pathname === `/pictures/${name}`);
    if (picture) {
      response.setHeader('content-type', 'image/png').end(readFileSync(new URL(picture, pictureFolder)));
      return;
    }
    if (url.pathname === '/show') return show(url.searchParams, response);
    return sendText(response, 'text/plain; charset=utf-8', 'There is no such page.', 404);
  }

  async function show(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const locale = supportedLocales.find((supported) => supported === query.get('language')) ?? 'en';
    const colours = query.get('colours') === 'dark' ? 'dark' : 'light';
    const client = query.get('client') ?? '';
    const mail = mails.find(({ id }) => id === query.get('state'));
    if (mail) {
      const { html } = mail.write({
        language: locale,
        productName: clients[client]?.productName ?? undefined,
        organisation: 'Northwind Holdings',
        supportUrl: 'https://help.example/',
      });
      // Allows the e-mail's inline styles, but no scripts or requests.
      const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";
      response.setHeader('content-security-policy', policy);
      return sendText(response, 'text/html; charset=utf-8', withColours(html, policy, colours).page);
    }
    const state = states.find(({ id }) => id === query.get('state'));
    if (!state) return sendText(response, 'text/plain; charset=utf-8', 'There is no such state.', 404);
    const stateServer = stateServers.get(state.id) ?? openStateServer(state, server.url);
    stateServers.set(state.id, stateServer);
    return sendRedirect(response, (await stateServer).address(locale, colours, client));
  }

  return {
    url: server.url,
    close: async () => {
      await server.close();
      await Promise.all([...stateServers.values()].map(async (stateServer) => (await stateServer).close()));
    },
  };
}
