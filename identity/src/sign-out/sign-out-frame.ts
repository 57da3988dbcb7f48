import { escapeMarkup } from '../lib/escape-markup.ts';
import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { Services } from '../services.ts';
import { findClient } from '../provider/clients-store.ts';
import { isProviderSessionAlive } from '../provider/provider-sessions.ts';
import type { SignedInApplication, SignedInApplications } from '../provider/provider-sessions.ts';
import type { FastifyInstance } from 'fastify';
import { ContractError } from '../http/errors.ts';

// The page in the hidden frame of the logged-out page. It contains a frame for each client of the session that has a
// front-channel logout URI (OpenID Connect Front-Channel Logout 1.0).

export const signOutFramePath = '/connect/signed-out-frame';

/** The validity of the URL: enough time to confirm the sign-out and load the frames. */
const frameSeconds = 60 * 60;
/** The maximum number of clients, which limits the length of the URL. Users have fewer in one session. */
const maximumApplications = 30;

const ticketContents = v.object({
  until: v.number(),
  /** The provider session of the clients. */
  session: v.optional(v.string()),
  applications: v.pipe(v.array(v.tuple([v.string(), v.string()])), v.maxLength(maximumApplications)),
  /** The encrypted user and session at an external identity provider. */
  provider: v.optional(v.string()),
});

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'keys'>;

/** Domain separation for the keyed hash of tickets. */
const purpose = 'signed-out frame';

/**
 * The URL of the page for the current session; undefined if no client has a front-channel logout URI. The session has
 * ended by the time the browser loads the page, so the URL itself lists the clients, authenticated by a keyed hash.
 */
export async function findSignOutFrameAddress(
  services: Needed,
  { sessionUid, applications }: SignedInApplications,
  company?: string,
): Promise<string | undefined> {
  const clients: SignedInApplication[] = [];
  for (const application of applications.slice(0, maximumApplications)) {
    const client = await findClient(services.database, application.clientId);
    if (client?.frontChannelLogoutUri !== undefined) clients.push(application);
  }
  if (clients.length === 0 && company === undefined) return undefined;
  const contents = {
    until: addSeconds(services.clock.now(), frameSeconds).getTime(),
    session: sessionUid,
    applications: clients.map(({ clientId, sid }) => [clientId, sid]),
    provider: company,
  };
  const text = Buffer.from(JSON.stringify(contents)).toString('base64url');
  const ticket = `${text}.${keyedHash(services.keys.oneTimeSecrets, `${purpose}:${text}`)}`;
  return `${services.config.publicUrl}${signOutFramePath}?${new URLSearchParams({ ticket }).toString()}`;
}

/** The URLs to frame: those of clients, and that of the identity provider of the session. */
export type FramedLogoutUris = { applications: string[]; company: string | undefined };

/**
 * The registered URIs of a ticket's clients, each with `iss` and `sid`. Undefined for a ticket that this service did
 * not issue, and while the session is active, so that no client is notified of a sign-out that has not happened
 * (attacks and faults, S14). `findCompanyAddress` returns the logout URL of the session's identity provider, if it has
 * one.
 */
export async function findFrameAddresses(
  services: Needed,
  ticket: unknown,
  findCompanyAddress: (company: string) => Promise<string | undefined>,
): Promise<FramedLogoutUris | undefined> {
  const contents = readTicket(services, ticket);
  if (contents === undefined) return undefined;
  const { session } = contents;
  if (session !== undefined && (await isProviderSessionAlive(services, session))) return undefined;
  const addresses: string[] = [];
  for (const [clientId, sid] of contents.applications) {
    const address = (await findClient(services.database, clientId))?.frontChannelLogoutUri;
    if (address !== undefined) addresses.push(withSession(address, services.config.publicUrl, sid));
  }
  const company = contents.provider === undefined ? undefined : await findCompanyAddress(contents.provider);
  return { applications: addresses, company };
}

function readTicket(
  { keys, clock }: Needed,
  ticket: unknown,
): v.InferOutput<typeof ticketContents> | undefined {
  if (typeof ticket !== 'string') return undefined;
  const [text = '', hash = '', ...rest] = ticket.split('.');
  if (rest.length > 0 || !isKeyedHashOf(keys.oneTimeSecrets, hash, `${purpose}:${text}`)) return undefined;
  // The keyed hash proves that this service wrote the text, so it is valid JSON.
  const contents = v.parse(ticketContents, JSON.parse(Buffer.from(text, 'base64url').toString()));
  return contents.until > clock.now().getTime() ? contents : undefined;
}

/** Front-Channel Logout 1.0, 3: both parameters or neither. */
function withSession(address: string, issuer: string, sid: string): string {
  const url = new URL(address);
  url.searchParams.set('iss', issuer);
  url.searchParams.set('sid', sid);
  return url.href;
}

/** Renders the page: no script, no styles, and sandboxed frames that can run an application's sign-out but not navigate the top window. */
export function renderSignOutFrame({ applications, company }: FramedLogoutUris): {
  html: string;
  contentPolicy: string;
} {
  const addresses = [...applications, ...(company === undefined ? [] : [company])];
  const frames = addresses.map(
    (address) =>
      `<iframe src="${escapeMarkup(address)}" title="" hidden sandbox="allow-scripts allow-same-origin allow-forms" referrerpolicy="no-referrer"></iframe>`,
  );
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))];
  return {
    html: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Signed out</title></head>\n<body>\n${frames.join('\n')}\n</body>\n</html>\n`,
    contentPolicy: [
      "default-src 'none'",
      // Includes our own origin, because an identity provider redirects its response here.
      ['frame-src', ...(company === undefined ? [] : ["'self'"]), ...orNone(origins)].join(' '),
      "frame-ancestors 'self'",
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
  };
}

const orNone = (origins: readonly string[]): readonly string[] =>
  origins.length === 0 ? ["'none'"] : origins;

/** The only page that can be framed, and only by our logged-out page. */
export function registerSignOutFrame(
  app: FastifyInstance,
  services: Services,
  findCompanyAddress: (company: string) => Promise<string | undefined>,
): void {
  app.get<{ Querystring: { ticket?: unknown } }>(signOutFramePath, async (request, reply) => {
    const logoutUris = await findFrameAddresses(services, request.query.ticket, findCompanyAddress);
    if (logoutUris === undefined)
      throw new ContractError('not_found', {
        detail: 'the ticket is invalid, or its session is still active',
      });
    const { html, contentPolicy } = renderSignOutFrame(logoutUris);
    return (
      reply
        .header('content-security-policy', contentPolicy)
        .header('x-frame-options', 'SAMEORIGIN')
        // keep the ticket out of referrers
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(html)
    );
  });
}
