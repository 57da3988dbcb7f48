import { lookup } from 'node:dns/promises';
import type { Config } from '../config.ts';
import { isPrivate } from '../enterprise/openid/outgoing.ts';
import { guardsPrivateAddresses } from '../openid/call-application.ts';
import type { Fault } from './resource.ts';

type Registration = Readonly<
  Record<
    | 'jwksUri'
    | 'frontChannelLogoutUri'
    | 'initiateLoginUri'
    | 'accentColour'
    | 'logoUrl'
    | 'resource'
    | 'resourceTokens',
    string | null
  >
> & {
  redirectUris: readonly string[];
  authentication: string;
  clientCredentials: boolean;
  pkceOptional: boolean;
};

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What the service would leave out or never follow although the provider accepts it. */
export function findFaultsOfClient(entry: Registration, { production }: Pick<Config, 'production'>): Fault[] {
  const own = new Set(entry.redirectUris.map((uri) => URL.parse(uri)?.origin));
  const faults: Fault[] = [];
  // Front-Channel Logout 1.0, 2; the service frames and links no stranger
  for (const column of ['frontChannelLogoutUri', 'initiateLoginUri'] as const) {
    const uri = entry[column];
    if (typeof uri === 'string' && !own.has(new URL(uri).origin))
      faults.push({ column, reason: 'must be on the origin of one of the redirect addresses' });
  }
  if (entry.authentication === 'private_key_jwt' && entry.jwksUri === null)
    faults.push({ column: 'jwksUri', reason: 'is needed for private_key_jwt' });
  const signsIn = entry.redirectUris.length > 0;
  if (!signsIn && !entry.clientCredentials && entry.resource === null)
    faults.push({
      column: 'redirectUris',
      reason: 'is needed, but for a service (clientCredentials) or an API (resource)',
    });
  if (entry.authentication === 'none' && entry.clientCredentials)
    faults.push({ column: 'clientCredentials', reason: 'needs a client that authenticates' });
  if (entry.authentication === 'none' && entry.resourceTokens === 'opaque')
    faults.push({
      column: 'resourceTokens',
      reason: 'opaque tokens are introspected by a client that authenticates',
    });
  if (entry.authentication === 'none' && entry.pkceOptional)
    faults.push({
      column: 'pkceOptional',
      reason: 'needs a client that authenticates: PKCE binds the code of a public one',
    });
  if (production) {
    for (const [column, uris] of Object.entries(entry)) {
      for (const uri of [uris].flat()) {
        const url = typeof uri === 'string' && /^http:/i.test(uri) ? URL.parse(uri) : null;
        // RFC 8252, 7.3: an app on the user's own machine listens on http there
        if (url !== null && !(column === 'redirectUris' && loopback.has(url.hostname)))
          faults.push({ column, reason: 'must begin with https:// in production' });
      }
    }
  }
  return faults;
}

/** A back-channel address that the service would never call. A name that cannot be resolved now is not refused. */
export async function findPrivateAddresses(
  {
    backChannelLogoutUri,
    backChannelLogoutPrivate,
  }: { backChannelLogoutUri: string | null; backChannelLogoutPrivate: boolean },
  config: Parameters<typeof guardsPrivateAddresses>[0],
): Promise<Fault[]> {
  if (backChannelLogoutUri === null || backChannelLogoutPrivate || !guardsPrivateAddresses(config)) return [];
  const hostname = new URL(backChannelLogoutUri).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(hostname, { all: true }).catch(() => []);
  const privateAddress = found.find(({ address }) => isPrivate(address))?.address;
  if (privateAddress === undefined) return [];
  const reason = `${hostname} is at the private address ${privateAddress}, which is not called; if it is yours, say --back-channel-logout-private`;
  return [{ column: 'backChannelLogoutUri', reason }];
}

/** What works and may be a mistake: the service corrects or leaves out parts of a brand. */
export function findDoubtsOfClient(
  { accentColour, logoUrl }: Pick<Registration, 'accentColour' | 'logoUrl'>,
  { contentPolicy, publicUrl }: Pick<Config, 'contentPolicy' | 'publicUrl'>,
): string[] {
  const doubts: string[] = [];
  const contrast = typeof accentColour === 'string' ? contrastWithWhite(accentColour) : undefined;
  if (contrast !== undefined && contrast < 4.5)
    doubts.push(
      `accentColour: white text on ${accentColour} has a contrast of ${contrast.toFixed(2)}:1, so the pages darken it until it is 4.5:1 (WCAG 1.4.3)`,
    );
  const admitted = [publicUrl, ...contentPolicy.logoOrigins];
  if (typeof logoUrl === 'string' && !admitted.includes(new URL(logoUrl).origin))
    doubts.push(`logoUrl: ${new URL(logoUrl).origin} is not in LOGO_ORIGINS, so the logo is not shown`);
  return doubts;
}

/** WCAG 2.2, "contrast ratio" and "relative luminance". */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const value = parseInt(colour.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
