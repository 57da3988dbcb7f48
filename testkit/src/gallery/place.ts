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

/** A state in a place of its own: an identity service that says what leads there, and the front end with a script that makes the moves. */
export interface SiteMembership {
  /** Where the state begins, in that language and those colours, for that application of `clients`. */
  address: (locale: string, colours: Colours, client: string) => string;
  close: () => Promise<void>;
}

/** Marks the visit that the gallery begins: what the visitor does afterwards is not played again. */
const mark = 'gallery';
const clientMark = 'gallery-client';
const player = readFileSync(new URL('page/player.js', import.meta.url), 'utf8');

/** @param galleryUrl the only page that may show this place in a frame */
export async function openSiteMembership(state: State, galleryUrl: string): Promise<SiteMembership> {
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
    // the product is shown in no frame; here it has to be, and in no other than the gallery's
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
