import { rememberedAccountsMaximumCount } from '@anteroom/contract';
import type { CallAnswer } from '@anteroom/contract';
import type { rememberedAccountCalls } from '@anteroom/contract/remembered-accounts';
import * as v from 'valibot';
import { createLastingCookie } from '../http/cookies.ts';
import type { CookieSource } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Handlers } from '../http/routes.ts';
import { seal, unseal } from '../lib/sealed.ts';
import { findClient } from '../provider/clients-store.ts';
import type { Services } from '../services.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { Proofs } from './proofs.ts';
import type { SignIn } from './sign-ins-store.ts';
import type { Visit } from './visit.ts';

/** A browser forgets an account that has not signed in to it for this time. */
const rememberedSeconds = 90 * 24 * 60 * 60;

const purpose = 'remembered accounts';

const storedAccounts = v.array(
  v.object({
    /** Names the entry to the page, which may make the browser forget it. */
    id: v.string(),
    userId: v.string(),
    siteId: v.string(),
    securityVersion: v.number(),
    signedInAtSeconds: v.number(),
  }),
);
type StoredAccount = v.InferOutput<typeof storedAccounts>[number];

type RememberedAccount = NonNullable<CallAnswer<'getAuthContext'>['rememberedAccounts']>[number];

/**
 * The accounts that have signed in with a browser, for the applications and sites that allow it. The encrypted,
 * HttpOnly cookie of the browser contains only ids; the service reads the names when a page asks for them
 * (docs/decisions/090-accounts-that-a-browser-remembers.md).
 */
export type RememberedAccounts = {
  /** The accounts that the page of this sign-in offers, the latest first. */
  list: (signIn: Pick<SignIn, 'parameters'>, exchange: CookieSource) => Promise<RememberedAccount[]>;
  /** Remembers the account of a finished sign-in, or forgets it after a sign-in on a public computer. */
  noteSignIn: (visit: Visit) => Promise<void>;
  forget: (exchange: Exchange, id: string) => void;
};

export function createRememberedAccounts({
  config,
  database,
  clock,
  keys,
  random,
}: Pick<Services, 'config' | 'database' | 'clock' | 'keys' | 'random'>): RememberedAccounts {
  const cookie = createLastingCookie(config.publicUrl, 'anteroom_accounts', rememberedSeconds);
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1000);

  /** Reads the cookie; without entries if this service did not write it. */
  function read(source: CookieSource): StoredAccount[] {
    const opened = unseal(keys.rememberedAccounts, cookie.read(source) ?? '', purpose);
    if (opened === undefined) return [];
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), storedAccounts), opened);
    const oldest = nowSeconds() - rememberedSeconds;
    return parsed.success ? parsed.output.filter(({ signedInAtSeconds }) => signedInAtSeconds > oldest) : [];
  }

  function write(exchange: Exchange, accounts: readonly StoredAccount[]): void {
    const kept = JSON.stringify(accounts.slice(0, rememberedAccountsMaximumCount));
    cookie.write(exchange, seal(keys.rememberedAccounts, kept, purpose, random));
  }

  return {
    async list({ parameters }, exchange) {
      const stored = read(exchange);
      if (stored.length === 0) return [];
      // An account that has changed since, for example its password, must sign in as on a new browser. So must one that
      // has left the site.
      const rows = await database
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .innerJoin('sites', 'sites.id', 'memberships.site_id')
        .select(['users.id as user_id', 'user_name', 'first_name', 'last_name', 'security_version'])
        .select(['sites.id as site_id', 'name', 'sites.display_name', 'logo_path'])
        .where('users.status', '=', 'active')
        .where('sites.disabled_at', 'is', null)
        .where('sites.remember_accounts', '=', true)
        .where((where) =>
          where.or(
            stored.map(({ userId, siteId, securityVersion }) =>
              where.and({
                'users.id': userId,
                'sites.id': siteId,
                'users.security_version': securityVersion,
              }),
            ),
          ),
        )
        .execute();
      const requestedSite = parameters['site'];
      return stored.flatMap(({ id, userId, siteId }) => {
        const row = rows.find((one) => one.user_id === userId && one.site_id === siteId);
        if (row === undefined) return [];
        if (requestedSite !== undefined && siteNameKey(requestedSite) !== row.name) return [];
        return {
          id,
          name: `${row.first_name} ${row.last_name}`.trim() || row.user_name,
          userName: row.user_name,
          site: row.name,
          siteDisplayName: row.display_name,
          siteLogoPath: row.logo_path,
        };
      });
    },

    async noteSignIn({ signIn, user, site, evidence, exchange }) {
      const stored = read(exchange);
      if (evidence['public-computer'] !== undefined) {
        const others = stored.filter(({ userId }) => userId !== user.id);
        if (others.length < stored.length) write(exchange, others);
        return;
      }
      if (site?.allowsRememberedAccounts !== true || !isFirstSignIn(signIn, evidence)) return;
      const client = await findClient(database, signIn.clientId);
      if (client?.remembersAccounts !== true) return;
      const others = stored.filter(({ userId, siteId }) => userId !== user.id || siteId !== site.id);
      const { id: userId, securityVersion } = user;
      write(exchange, [
        { id: random.token(9), userId, siteId: site.id, securityVersion, signedInAtSeconds: nowSeconds() },
        ...others,
      ]);
    },

    forget(exchange, id) {
      const stored = read(exchange);
      const others = stored.filter((one) => one.id !== id);
      if (others.length < stored.length) write(exchange, others);
    },
  };
}

/**
 * Whether the sign-in began without a session and the user proved the identity in it. A later proof in a session, such as
 * a confirmed password, must not add an account whose user called the computer public when the session began. A passkey
 * of another device, such as a phone, also signs in on computers of strangers, and is not asked whether this is one.
 */
function isFirstSignIn({ reasons }: SignIn, { password, company, passkey }: Proofs): boolean {
  if (!reasons.includes('no_session')) return false;
  return (password ?? company) !== undefined || (passkey !== undefined && passkey.isOfAnotherDevice !== true);
}

/** Whether the page of this sign-in may offer accounts: nobody is signed in, and the application names no user. */
export function mayOfferAccounts({ parameters, promptMethod, region }: SignIn): boolean {
  return (
    promptMethod === undefined &&
    region === undefined &&
    parameters['login_hint'] === undefined &&
    parameters['id_token_hint'] === undefined
  );
}

/** The call of remembered accounts. */
export function createRememberedAccountCalls({
  rememberedAccounts,
}: {
  rememberedAccounts: RememberedAccounts;
}): Handlers<typeof rememberedAccountCalls> {
  return {
    forgetAccount({ body }, exchange) {
      rememberedAccounts.forget(exchange, body.id);
      return Promise.resolve(undefined);
    },
  };
}
