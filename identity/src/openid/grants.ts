import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Services } from '../services.ts';
import type { Exchanges } from './exchanges.ts';
import { makeGrantId, securityVersionOfGrant, siteOfGrant } from './grants-store.ts';

type Grant = InstanceType<KoaContextWithOIDC['oidc']['provider']['Grant']>;

/**
 * Consent is implied: what an application asks for within its registration is granted on the server, without a page.
 * A grant speaks for one site and one state of the account. Entering another site makes a new one, and tokens of the old one that live
 * with the session end with it (the provider compares their grant with the session's).
 */
export function createGrantLoader(
  { random, sessions }: Pick<Services, 'random' | 'sessions'>,
  exchanges: Exchanges,
) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { session, client, provider, requestParamOIDCScopes } = ctx.oidc;
    if (session?.accountId === undefined || client === undefined) return undefined;

    const found = await exchanges.require(ctx.req).findSession();
    if (found.state !== 'valid' || found.session.personId !== session.accountId) return undefined;
    const { authSite: site, securityVersion, idHash, providerSessionUid } = found.session;
    if (site === undefined) return undefined;
    // whoever ends our session ends the provider's with it
    if (providerSessionUid !== session.uid && !(await sessions.setProviderSession(idHash, session.uid)))
      return undefined;

    const known = await findGrantOf(ctx, { site, securityVersion });
    const grant = known ?? new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    if (known === undefined) grant.jti = makeGrantId(site, securityVersion, random);
    const granted = new Set(grant.getOIDCScope().split(' '));
    const missing = [...requestParamOIDCScopes].filter((scope) => !granted.has(scope));
    if (known === undefined || missing.length > 0) {
      grant.addOIDCScope(missing.join(' '));
      await grant.save();
    }
    return grant;
  };
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
