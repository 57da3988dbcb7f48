import { createHmac } from 'node:crypto';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import type { CodeCheck, FactorSubject } from './one-time-codes.ts';
import { findStep, secretBytes, toBase32 } from './time-based-codes.ts';

/** The secrets for setting up an app. Nothing is stored until the user has entered a code of the app. */
export type OfferedApp = {
  /** The shared secret in base 32, for manual entry. */
  secret: string;
  /** Ten codes of 16 letters and digits (80 bits). Each replaces the app once. */
  recoveryCodes: string[];
};

/** Authenticator apps (RFC 6238) and their recovery codes. */
export type AuthenticatorApps = {
  /**
   * Derives the secrets from the subject and a key of the service, so they stay the same until the account changes. A
   * reloaded page therefore shows the same secret, and an abandoned setup leaves no data.
   */
  offer: (subject: FactorSubject) => OfferedApp;
  /** The time step of a correct code of the offered secret. */
  findOfferedStep: (subject: FactorSubject, code: string) => number | undefined;
  /** Stores the offered app for a user without one, in the transaction that raises the account's security version. */
  setUp: (transaction: DatabaseTransaction, subject: FactorSubject, step: number) => Promise<void>;
  /** Accepts each code only once. After that, rejects codes of the same and of earlier time steps. */
  checkCode: (userId: string, code: string) => Promise<Extract<CodeCheck, 'right' | 'wrong'>>;
  /** Accepts a recovery code once. Returns the number of remaining codes, or undefined for a wrong code. */
  spendRecoveryCode: (userId: string, code: string) => Promise<number | undefined>;
  /** Replaces the remaining recovery codes by ten new ones. Undefined for a user without an app. */
  renewRecoveryCodes: (transaction: DatabaseTransaction, userId: string) => Promise<string[] | undefined>;
  /** The setup time and the number of remaining recovery codes. Undefined for a user without an app. */
  describe: (userId: string) => Promise<{ setUpAt: Date; recoveryCodesLeft: number } | undefined>;
  /** Removes the app and its recovery codes. `since`: only what was created after that time. Returns false if there was nothing to remove. */
  remove: (transaction: DatabaseTransaction, userId: string, since?: Date) => Promise<boolean>;
};

const recoveryCodeCount = 10;
/** 16 characters of base 32: 80 bits. */
const recoveryCodeLength = 16;

export function createAuthenticatorApps({
  database,
  clock,
  random,
  keyRing,
  sealing,
}: StoreContext & { sealing: KeyRing }): AuthenticatorApps {
  const derive = (key: KeyRing[number], { uid, userId, securityVersion }: FactorSubject, what: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify(['authenticator app', what, uid, userId, securityVersion]))
      .digest()
      .subarray(0, secretBytes);
  const offeredCodes = (key: KeyRing[number], subject: FactorSubject): string[] =>
    Array.from({ length: recoveryCodeCount }, (_, index) =>
      toBase32(derive(key, subject, `recovery code ${index}`)).slice(0, recoveryCodeLength),
    );
  const hashed = (userId: string, code: string): string => JSON.stringify(['recovery code', userId, code]);

  async function insertRecoveryCodes(
    transaction: DatabaseTransaction,
    userId: string,
    codes: readonly string[],
  ): Promise<void> {
    const rows = codes.map((code) => ({
      code_hash: keyedHash(keyRing, hashed(userId, code)),
      user_id: userId,
      made_at: clock.now(),
    }));
    await transaction.insertInto('recovery_codes').values(rows).execute();
  }

  return {
    offer: (subject) => ({
      secret: toBase32(derive(sealing[0], subject, 'secret')),
      recoveryCodes: offeredCodes(sealing[0], subject),
    }),

    findOfferedStep: (subject, code) => findStep(derive(sealing[0], subject, 'secret'), code, clock.now()),

    async setUp(transaction, subject, step) {
      const { userId } = subject;
      const secret = derive(sealing[0], subject, 'secret').toString('base64url');
      await transaction
        .insertInto('authenticator_apps')
        .values({
          user_id: userId,
          secret_sealed: seal(sealing, secret, contextOf(userId), random),
          last_step: step,
          created_at: clock.now(),
        })
        .execute();
      await insertRecoveryCodes(transaction, userId, offeredCodes(sealing[0], subject));
    },

    async renewRecoveryCodes(transaction, userId) {
      const app = await transaction
        .selectFrom('authenticator_apps')
        .select('user_id')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (app === undefined) return undefined;
      await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
      const codes = Array.from({ length: recoveryCodeCount }, () =>
        toBase32(random.bytes(secretBytes)).slice(0, recoveryCodeLength),
      );
      await insertRecoveryCodes(transaction, userId, codes);
      return codes;
    },

    async describe(userId) {
      const row = await database
        .selectFrom('authenticator_apps')
        .select('created_at')
        .select((app) =>
          app
            .selectFrom('recovery_codes')
            .select((count) => count.fn.countAll<string>().as('left'))
            .whereRef('recovery_codes.user_id', '=', 'authenticator_apps.user_id')
            .as('left'),
        )
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row && { setUpAt: row.created_at, recoveryCodesLeft: Number(row.left) };
    },

    async checkCode(userId, code) {
      const app = await database
        .selectFrom('authenticator_apps')
        .select('secret_sealed')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (app === undefined) return 'wrong';
      const secret = unseal(sealing, app.secret_sealed, contextOf(userId));
      if (secret === undefined) throw new Error('the secret of an authenticator app cannot be decrypted');
      const step = findStep(Buffer.from(secret, 'base64url'), code, clock.now());
      if (step === undefined) return 'wrong';
      // A single conditional update, so that only one of several parallel checks on any node finds the step unused.
      const used = await database
        .updateTable('authenticator_apps')
        .set({ last_step: step })
        .where('user_id', '=', userId)
        .where('secret_sealed', '=', app.secret_sealed)
        .where('last_step', '<', step)
        .returning('user_id')
        .executeTakeFirst();
      return used === undefined ? 'wrong' : 'right';
    },

    async spendRecoveryCode(userId, code) {
      const spent = await database
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', 'in', keyedHashes(keyRing, hashed(userId, code)))
        .returning('user_id')
        .executeTakeFirst();
      if (spent === undefined) return undefined;
      const { left } = await database
        .selectFrom('recovery_codes')
        .select((count) => count.fn.countAll<string>().as('left'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return Number(left);
    },

    async remove(transaction, userId, since) {
      const removed = await transaction
        .deleteFrom('authenticator_apps')
        .where('user_id', '=', userId)
        .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? new Date(0)))
        .returning('user_id')
        .executeTakeFirst();
      await transaction
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .$if(removed === undefined && since !== undefined, (query) =>
          query.where('made_at', '>=', since ?? new Date(0)),
        )
        .execute();
      return removed !== undefined;
    },
  };
}

/** The context to which the encrypted secret of an app is bound. */
export function contextOf(userId: string): string {
  return `authenticator app ${userId}`;
}
