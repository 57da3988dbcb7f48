import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { Services } from '../services.ts';
import { findClient } from './clients-store.ts';
import { isProviderSessionAlive } from './provider-sessions.ts';
import type { SignedInApplication, SignedInApplications } from './provider-sessions.ts';

// The page in the hidden frame of the logged-out page. It holds a frame for each application of the session that wants to be told
// by the browser that its person has signed out (OpenID Connect Front-Channel Logout 1.0).

export const signOutFramePath = '/connect/signed-out-frame';

/** As long as somebody may take to confirm, and to be told. */
const frameSeconds = 60 * 60;
/** More than anybody uses in one session; an address must not grow without end. */
const mostApplications = 30;

const ticketContents = v.object({
  until: v.number(),
  /** The provider's session that the applications belong to. */
  session: v.optional(v.string()),
  applications: v.pipe(v.array(v.tuple([v.string(), v.string()])), v.maxLength(mostApplications)),
  /** Sealed: whom at which other organisation's provider. */
  provider: v.optional(v.string()),
});

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'keys'>;

/** What a ticket's hash is of, so that no other keyed hash of ours passes for one. */
const purpose = 'signed-out frame';

/**
 * The address of the page for what is signed in now; undefined when no application asks for it. The session will have ended when the
 * browser loads the page, so the address itself names the applications, under a keyed hash.
 */
export async function findSignOutFrameAddress(
  services: Needed,
  { sessionUid, applications }: SignedInApplications,
  provider?: string,
): Promise<string | undefined> {
  const told: SignedInApplication[] = [];
  for (const application of applications.slice(0, mostApplications)) {
    const client = await findClient(services.database, application.clientId);
    if (client?.frontChannelLogoutUri !== undefined) told.push(application);
  }
  if (told.length === 0 && provider === undefined) return undefined;
  const contents = {
    until: addSeconds(services.clock.now(), frameSeconds).getTime(),
    session: sessionUid,
    applications: told.map(({ clientId, sid }) => [clientId, sid]),
    provider,
  };
  const text = Buffer.from(JSON.stringify(contents)).toString('base64url');
  const ticket = `${text}.${keyedHash(services.keys.oneTimeSecrets, `${purpose}:${text}`)}`;
  return `${services.config.publicUrl}${signOutFramePath}?${new URLSearchParams({ ticket }).toString()}`;
}

/** Addresses that the frame leads to: of applications, and of the provider that the session came from. */
export type ToldInFrame = { applications: string[]; provider: string | undefined };

/**
 * The registered addresses of a ticket's applications, each with `iss` and `sid`; undefined for a ticket that this service did not
 * issue, and while the session lasts: no application hears of a sign-out that has not happened (attacks and faults, S14).
 * `findProviderAddress` returns the address for the identity provider that the session came from, if it wants to know.
 */
export async function findFrameAddresses(
  services: Needed,
  ticket: unknown,
  findProviderAddress: (provider: string) => Promise<string | undefined>,
): Promise<ToldInFrame | undefined> {
  const contents = readTicket(services, ticket);
  if (contents === undefined) return undefined;
  const { session } = contents;
  if (session !== undefined && (await isProviderSessionAlive(services, session))) return undefined;
  const addresses: string[] = [];
  for (const [clientId, sid] of contents.applications) {
    const address = (await findClient(services.database, clientId))?.frontChannelLogoutUri;
    if (address !== undefined) addresses.push(withSession(address, services.config.publicUrl, sid));
  }
  const provider = contents.provider === undefined ? undefined : await findProviderAddress(contents.provider);
  return { applications: addresses, provider };
}

function readTicket(
  { keys, clock }: Needed,
  ticket: unknown,
): v.InferOutput<typeof ticketContents> | undefined {
  if (typeof ticket !== 'string') return undefined;
  const [text = '', hash = '', ...rest] = ticket.split('.');
  if (rest.length > 0 || !isKeyedHashOf(keys.oneTimeSecrets, hash, `${purpose}:${text}`)) return undefined;
  // it was sealed by us, so it is JSON
  const contents = v.parse(ticketContents, JSON.parse(Buffer.from(text, 'base64url').toString()));
  return contents.until > clock.now().getTime() ? contents : undefined;
}

/** Front-Channel Logout 1.0, 3: both or neither. */
function withSession(address: string, issuer: string, sid: string): string {
  const url = new URL(address);
  url.searchParams.set('iss', issuer);
  url.searchParams.set('sid', sid);
  return url.href;
}

/**
 * The page: no script, no style, and frames that may do what an application needs to sign somebody out, but not lead the window
 * elsewhere.
 */
export function drawSignOutFrame({ applications, provider }: ToldInFrame): {
  html: string;
  contentPolicy: string;
} {
  const addresses = [...applications, ...(provider === undefined ? [] : [provider])];
  const frames = addresses.map(
    (address) =>
      `<iframe src="${escapeAttribute(address)}" title="" hidden sandbox="allow-scripts allow-same-origin allow-forms" referrerpolicy="no-referrer"></iframe>`,
  );
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))];
  return {
    html: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Signed out</title></head>\n<body>\n${frames.join('\n')}\n</body>\n</html>\n`,
    contentPolicy: [
      "default-src 'none'",
      // ourselves: where a provider sends its answer to
      ['frame-src', ...(provider === undefined ? [] : ["'self'"]), ...orNone(origins)].join(' '),
      "frame-ancestors 'self'",
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
  };
}

const orNone = (origins: readonly string[]): readonly string[] =>
  origins.length === 0 ? ["'none'"] : origins;

/** The address has been through `URL`, which leaves neither quotes nor angle brackets. */
function escapeAttribute(address: string): string {
  return address.replaceAll('&', '&amp;').replaceAll('"', '%22');
}
