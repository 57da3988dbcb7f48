import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Services } from '../services.ts';
import type { Exchanges } from './exchanges.ts';
import { makeGrantId, siteOfGrant } from './grants-store.ts';
import { noteProviderSession } from './provider-sessions.ts';

type Grant = InstanceType<KoaContextWithOIDC['oidc']['provider']['Grant']>;

/**
 * Consent is implied: what an application asks for within its registration is granted on the server, without a page.
 * A grant speaks for one site. Entering another site makes a new one, and tokens of the old one that live with the
 * session end with it (the provider compares their grant with the session's).
 */
export function createGrantLoader(
  { random, database }: Pick<Services, 'random' | 'database'>,
  exchanges: Exchanges,
) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { session, client, provider, requestParamOIDCScopes } = ctx.oidc;
    if (session?.accountId === undefined || client === undefined) return undefined;

    const found = await exchanges.require(ctx.req).findSession();
    if (found.state !== 'valid' || found.session.personId !== session.accountId) return undefined;
    const site = found.session.authSite;
    if (site === undefined) return undefined;

    const known = await findGrantOfSite(ctx, site);
    const grant = known ?? new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    if (known === undefined) grant.jti = makeGrantId(site, random);
    const { externallyAuthenticated, browserId } = found.session;
    if (externallyAuthenticated) await noteProviderSession(database, browserId, session.uid);
    const granted = new Set(grant.getOIDCScope().split(' '));
    const missing = [...requestParamOIDCScopes].filter((scope) => !granted.has(scope));
    if (known === undefined || missing.length > 0) {
      grant.addOIDCScope(missing.join(' '));
      await grant.save();
    }
    return grant;
  };
}

async function findGrantOfSite({ oidc }: KoaContextWithOIDC, site: string): Promise<Grant | undefined> {
  const id = oidc.client && oidc.session?.grantIdFor(oidc.client.clientId);
  return id === undefined || siteOfGrant(id) !== site ? undefined : await oidc.provider.Grant.find(id);
}
