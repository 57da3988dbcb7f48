import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { startScriptedIdentity } from '../scripted/scripted-identity.ts';
import type { ScriptedIdentity } from '../scripted/scripted-identity.ts';
import { sendJson, sendText } from '../scripted/send.ts';
import { addressOfState } from '../states/states.ts';
import type { State } from '../states/state.ts';
import { findStaticFile } from '../static-files.ts';
import { brandedStage, clients } from './clients.ts';
import { withColours } from './colours.ts';
import type { Colours } from './colours.ts';

/** The server of one state: a scripted identity service, and the front end with a script that performs the moves. */
export interface StateServer {
  /** The URL where the state begins, with the language, colours and application of `clients`. */
  address: (locale: string, colours: Colours, client: string) => string;
  close: () => Promise<void>;
}

/** The query parameter of a visit that the gallery has started, so that the moves are performed only once. */
const mark = 'gallery';
const clientMark = 'gallery-client';
const player = readFileSync(new URL('page/player.js', import.meta.url), 'utf8');

/** @param galleryUrl the only page that can frame this server's pages */
export async function openStateServer(state: State, galleryUrl: string): Promise<StateServer> {
  const identity = await startScriptedIdentity((url, response, here) => {
    if (url.pathname === '/gallery/player.js') sendText(response, 'text/javascript; charset=utf-8', player);
    else if (url.pathname === '/gallery/moves.json') sendJson(response, 200, state.moves ?? []);
    else if (url.pathname.startsWith('/ui/')) return sendPage(url, response, here);
    else return false;
    return true;
  });

  let colours: Colours = 'light';

  function sendPage(url: URL, response: ServerResponse, here: ScriptedIdentity): boolean {
    const file = findStaticFile(url.pathname, false);
    if (!file?.contentType.startsWith('text/html')) return false;
    const isBeginning = url.searchParams.has(mark);
    if (isBeginning) {
      colours = url.searchParams.get(mark) === 'dark' ? 'dark' : 'light';
      here.reset();
      state.set?.(brandedStage(here, clients[url.searchParams.get(clientMark) ?? '']));
      const notice = state.notice && encodeURIComponent(JSON.stringify(state.notice));
      if (notice) response.setHeader('Set-Cookie', `anteroom_notice=${notice}; Path=/; SameSite=Lax`);
    }
    // The product forbids framing; here the gallery can frame it.
    response.removeHeader('x-frame-options');
    const ownPolicy = String(response.getHeader('content-security-policy'));
    const { page, policy } = withColours(file.content.toString('utf8'), ownPolicy, colours);
    response.setHeader(
      'content-security-policy',
      policy.replace("frame-ancestors 'none'", `frame-ancestors ${galleryUrl}`),
    );
    const playing = '<script type="module" src="/gallery/player.js"></script></head>';
    sendText(response, file.contentType, isBeginning ? page.replace('</head>', playing) : page);
    return true;
  }

  return {
    address: (locale, wantedColours, client) => {
      const address = new URL(addressOfState(state, identity, locale));
      address.searchParams.set(mark, wantedColours);
      address.searchParams.set(clientMark, client);
      return address.href;
    },
    close: identity.close,
  };
}
