import { lookup } from 'node:dns/promises';
import type { Config } from '../config/config.ts';
import { hostOf, isPrivate } from '../company/openid/outgoing.ts';
import { guardsPrivateAddresses } from '../provider/call-application.ts';
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
  postLogoutRedirectUris: readonly string[];
  applicationType: string;
  authentication: string;
  clientCredentials: boolean;
  pkceOptional: boolean;
};

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Finds settings that the OpenID provider accepts but the service would ignore or refuse. */
export function findFaultsOfClient(entry: Registration, { production }: Pick<Config, 'production'>): Fault[] {
  const own = new Set(entry.redirectUris.map((uri) => URL.parse(uri)?.origin));
  const faults: Fault[] = [];
  // Other origins are refused (Front-Channel Logout 1.0, 2), because the service neither frames them nor links to them.
  for (const column of ['frontChannelLogoutUri', 'initiateLoginUri'] as const) {
    const uri = entry[column];
    if (typeof uri === 'string' && !own.has(new URL(uri).origin))
      faults.push({ column, reason: 'must be on the origin of one of the redirect addresses' });
  }
  faults.push(...findFaultsOfSchemes(entry));
  if (entry.authentication === 'private_key_jwt' && entry.jwksUri === null)
    faults.push({ column: 'jwksUri', reason: 'is required for private_key_jwt' });
  const signsIn = entry.redirectUris.length > 0;
  if (!signsIn && !entry.clientCredentials && entry.resource === null)
    faults.push({
      column: 'redirectUris',
      reason: 'is required, except for a service (clientCredentials) or an API (resource)',
    });
  if (entry.authentication === 'none' && entry.clientCredentials)
    faults.push({ column: 'clientCredentials', reason: 'requires a client that authenticates' });
  if (entry.authentication === 'none' && entry.resourceTokens === 'opaque')
    faults.push({
      column: 'resourceTokens',
      reason: 'opaque tokens require a client that authenticates, because it introspects them',
    });
  if (entry.authentication === 'none' && entry.pkceOptional)
    faults.push({
      column: 'pkceOptional',
      reason: 'requires a client that authenticates: a public client needs PKCE to bind the code',
    });
  if (production) {
    for (const [column, uris] of Object.entries(entry)) {
      for (const uri of [uris].flat()) {
        const url = typeof uri === 'string' && /^http:/i.test(uri) ? URL.parse(uri) : null;
        // RFC 8252, 7.3: a native app listens on a loopback address without TLS
        if (url !== null && !(isRedirectColumn(column) && loopback.has(url.hostname)))
          faults.push({ column, reason: 'must begin with https:// in production' });
      }
    }
  }
  return faults;
}

const redirectColumns = ['redirectUris', 'postLogoutRedirectUris'] as const;
const isRedirectColumn = (column: string): boolean => redirectColumns.some((one) => one === column);

/** Only the redirect addresses of a native application can have another scheme than http(s). */
function findFaultsOfSchemes(entry: Registration): Fault[] {
  return redirectColumns.flatMap((column) =>
    entry[column].flatMap((uri) => {
      const scheme = new URL(uri).protocol;
      if (/^https?:$/.test(scheme)) return [];
      if (entry.applicationType !== 'native')
        return [{ column, reason: `${uri} requires a native application (--application-type native)` }];
      // RFC 8252, 7.1: another application must not have the same scheme by chance
      return scheme.includes('.')
        ? []
        : [
            {
              column,
              reason: `the scheme ${scheme} must be a reversed domain name, such as com.example.app:`,
            },
          ];
    }),
  );
}

/** Finds a back-channel address that the service would not call. A name that cannot be resolved now is accepted. */
export async function findPrivateAddresses(
  {
    backChannelLogoutUri,
    backChannelLogoutPrivate,
  }: { backChannelLogoutUri: string | null; backChannelLogoutPrivate: boolean },
  config: Parameters<typeof guardsPrivateAddresses>[0],
): Promise<Fault[]> {
  if (backChannelLogoutUri === null || backChannelLogoutPrivate || !guardsPrivateAddresses(config)) return [];
  const hostname = hostOf(new URL(backChannelLogoutUri));
  const found = await lookup(hostname, { all: true }).catch(() => []);
  const privateAddress = found.find(({ address }) => isPrivate(address))?.address;
  if (privateAddress === undefined) return [];
  const reason = `${hostname} is at the private address ${privateAddress}, which the service does not call. If it is yours, set --back-channel-logout-private`;
  return [{ column: 'backChannelLogoutUri', reason }];
}

/** Warns of branding that the service corrects or ignores. */
export function findWarningsOfClient(
  { accentColour, logoUrl }: Pick<Registration, 'accentColour' | 'logoUrl'>,
  { contentPolicy, publicUrl }: Pick<Config, 'contentPolicy' | 'publicUrl'>,
): string[] {
  const warnings: string[] = [];
  const contrast = typeof accentColour === 'string' ? contrastWithWhite(accentColour) : undefined;
  if (contrast !== undefined && contrast < 4.5)
    warnings.push(
      `accentColour: white text on ${accentColour} has a contrast of ${contrast.toFixed(2)}:1, so the pages darken it to 4.5:1 (WCAG 1.4.3)`,
    );
  const allowed = [publicUrl, ...contentPolicy.logoOrigins];
  if (typeof logoUrl === 'string' && !allowed.includes(new URL(logoUrl).origin))
    warnings.push(`logoUrl: ${new URL(logoUrl).origin} is not in LOGO_ORIGINS, so the logo is not shown`);
  return warnings;
}

/** The contrast of a colour with white (WCAG 2.2, "contrast ratio" and "relative luminance"). */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const value = parseInt(colour.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
