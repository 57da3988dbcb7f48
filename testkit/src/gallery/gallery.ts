import { supportedLocales } from '@anteroom/contract';
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
import { openSiteMembership } from './place.ts';
import type { SiteMembership } from './place.ts';

export interface Gallery {
  url: string;
  close: () => Promise<void>;
}

const files: Readonly<Record<string, { name: string; contentType: string }>> = {
  '/': { name: 'index.html', contentType: 'text/html; charset=utf-8' },
  '/gallery.css': { name: 'gallery.css', contentType: 'text/css; charset=utf-8' },
  '/gallery.js': { name: 'gallery.js', contentType: 'text/javascript; charset=utf-8' },
};

/** The recorded pictures. The overview shows them because live states share the cookies of one host and would disturb each other. */
const pictureFolder = new URL('../../../e2e/pictures/record/', import.meta.url);
const pictures = readdirSync(pictureFolder).filter((file) => file.endsWith('.png'));

/** The picture of a state in English and in light where there is one; undefined for a state that looks like another. */
function findPicture(id: string): string | undefined {
  const ofState = pictures.filter((file) => file.startsWith(`${id}.`));
  return ofState.find((file) => file.includes('.en.light.')) ?? ofState[0];
}

/** What the page of the gallery lists. */
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
 * Shows the built front end in each of its states, and the mails of the service. Every state that is looked at has a service and so an origin of its own,
 * which is opened when it is first asked for.
 * @param port a port to keep links alive from one run to the next; 0 for a free one
 */
export async function startGallery(port = 0): Promise<Gallery> {
  const places = new Map<string, Promise<SiteMembership>>();
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
        organisation: 'Northwind Group',
        supportUrl: 'https://help.example/',
      });
      // the mail's styles are inline; nothing in it runs or is fetched
      const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";
      response.setHeader('content-security-policy', policy);
      return sendText(response, 'text/html; charset=utf-8', withColours(html, policy, colours).page);
    }
    const state = states.find(({ id }) => id === query.get('state'));
    if (!state) return sendText(response, 'text/plain; charset=utf-8', 'There is no such state.', 404);
    const place = places.get(state.id) ?? openSiteMembership(state, server.url);
    places.set(state.id, place);
    return sendRedirect(response, (await place).address(locale, colours, client));
  }

  return {
    url: server.url,
    close: async () => {
      await server.close();
      await Promise.all([...places.values()].map(async (place) => (await place).close()));
    },
  };
}
