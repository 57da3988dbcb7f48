import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Services } from '../services.ts';
import { claimsByScope } from './claims.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { makeGrantId, securityVersionOfGrant, siteOfGrant } from './grants-store.ts';
import { pendingWrites } from './request-writes.ts';

type Grant = InstanceType<KoaContextWithOIDC['oidc']['provider']['Grant']>;

/**
 * Consent is implicit: the server grants what an application requests within its registration, without a page. A grant
 * is for one site and one security version of the account. When the user enters another site, a new grant replaces it,
 * and the session-bound tokens of the old grant end (the provider compares their grant with that of the session).
 */
export function createGrantLoader({ random }: Pick<Services, 'random'>, exchanges: ExchangesByRequest) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { session, client, provider, requestParamOIDCScopes, requestParamScopes, resourceServers } =
      ctx.oidc;
    if (session?.accountId === undefined || client === undefined) return undefined;

    const found = await exchanges.require(ctx.req).findSession();
    if (found.state !== 'valid' || found.session.userId !== session.accountId) return undefined;
    const { authSite: site, securityVersion, idHash, providerSessionUid } = found.session;
    if (site === undefined) return undefined;
    // Stores the provider session's id, so that the end of our session also ends the provider's session.
    if (providerSessionUid !== session.uid) pendingWrites(ctx).notedSession = { idHash, uid: session.uid };

    const known = await findGrantOf(ctx, { site, securityVersion });
    const grant = known ?? new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    if (known === undefined) grant.jti = makeGrantId(site, securityVersion, random);
    if (client['id_token_profile'] === true) askForProfile(ctx);
    const missingScopes = [...requestParamOIDCScopes].filter(without(grant.getOIDCScope().split(' ')));
    const missingClaims = claimsOf(ctx).filter(without(grant.getOIDCClaims()));
    const missingResources = Object.entries(resourceServers ?? {})
      .map(([resource, { scopes }]) => ({
        resource,
        scopes: [...requestParamScopes]
          .filter((scope) => scopes.has(scope))
          .filter(without(grant.getResourceScope(resource).split(' '))),
      }))
      .filter(({ scopes }) => scopes.length > 0);
    const missing = [...missingScopes, ...missingClaims, ...missingResources];
    if (known === undefined || missing.length > 0) {
      grant.addOIDCScope(missingScopes.join(' '));
      grant.addOIDCClaims(missingClaims);
      for (const { resource, scopes } of missingResources) grant.addResourceScope(resource, scopes);
      await grant.save();
    }
    return grant;
  };
}

const without = (granted: readonly string[]) => (name: string) => !granted.includes(name);

/** Adds the claims of the requested scopes to the ID token, as the `claims` parameter would (OpenID Connect Core, 5.5). */
function askForProfile({ oidc }: KoaContextWithOIDC): void {
  const { profile, email } = claimsByScope;
  const names = Object.entries({ profile, email }).flatMap(([scope, claims]) =>
    oidc.requestParamScopes.has(scope) ? claims : [],
  );
  oidc.claims.id_token = {
    ...Object.fromEntries(names.map((name) => [name, null])),
    ...oidc.claims.id_token,
  };
}

/** The individually requested claims, limited to the scopes that the client is registered for. */
function claimsOf({ oidc: { claims, client } }: KoaContextWithOIDC): string[] {
  const allowed = Object.entries(claimsByScope).flatMap(([scope, names]) =>
    client?.scope === undefined || client.scope.split(' ').includes(scope) ? names : [],
  );
  return Object.keys({ ...claims.id_token, ...claims.userinfo }).filter((name) => allowed.includes(name));
}

async function findGrantOf(
  { oidc }: KoaContextWithOIDC,
  { site, securityVersion }: { site: string; securityVersion: number },
): Promise<Grant | undefined> {
  const id = oidc.client && oidc.session?.grantIdFor(oidc.client.clientId);
  if (id === undefined || siteOfGrant(id) !== site || securityVersionOfGrant(id) !== securityVersion)
    return undefined;
  return await oidc.provider.Grant.find(id);
}
