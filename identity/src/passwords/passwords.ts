import { readFileSync, readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { passwordMaximumLength } from '@anteroom/contract';
import { hash } from '@node-rs/argon2';
import type { Config } from '../config/config.ts';
import { ContractError } from '../http/errors.ts';
import { noTracing } from '../lib/tracing.ts';
import type { Tracing } from '../lib/tracing.ts';
import { decoysBeside, isHashOf, kindOf } from './hash-work.ts';
import { QueueFullError, createWorkQueue } from './work-queue.ts';

/** `rehash` is the hash to store instead, if the stored one was imported or has old parameters. */
export type PasswordVerdict = { matches: false } | { matches: true; rehash: string | undefined };

/**
 * Hashes and verifies passwords with argon2id, off the event loop, with bounded concurrency and a bounded queue. If the
 * queue is full, `hash` and `verify` throw the contract error `overloaded` at once. More than 256 code points are
 * rejected without hashing.
 */
export type Passwords = {
  /**
   * Reserves capacity for a request that will need a hash, before any other work, so that a request that cannot be
   * served costs no query. Returns the function that releases it. Call `admit` only once the request has arrived
   * completely, and release it before waiting for a client or another server, so that neither decides how long it is
   * held.
   * @throws `overloaded` at once
   */
  admit: () => () => void;
  /**
   * Reserves nothing.
   * @throws `overloaded` if `admit` would throw now
   */
  requireRoom: () => void;
  /** On shutdown, rejects queued and new work with `overloaded`, so that clients get a response before the connection closes. */
  refuseWaiting: () => void;
  hash: (password: string) => Promise<string>;
  /**
   * Computes one hash with the current parameters and one for each older kind that is stored, also for an unknown user
   * (`undefined`), so that the time reveals nothing. A password with spaces other than U+0020 is compared twice.
   */
  verify: (password: string, storedHash: string | undefined) => Promise<PasswordVerdict>;
  /** Compares without decoys. Use it only where the visitor already knows that the account exists. */
  matches: (password: string, storedHash: string) => Promise<boolean>;
};

/** Within a second, most of a full queue has been processed. */
const retryAfterSeconds = 1;

/** The counters for metrics. */
type Counts = {
  countHash: (outcome: 'done' | 'refused', durationSeconds?: number) => void;
  setHashQueue: (running: number, waiting: number) => void;
};

/** Computes two hashes at startup to measure their duration. */
export async function createPasswords(
  settings: Config['passwords'],
  dependencies: {
    /** The kinds of all stored hashes (`stored-kinds.ts`). */
    storedKinds: () => Promise<ReadonlySet<string>>;
    metrics: Counts;
    tracing?: Pick<Tracing, 'within'>;
  },
): Promise<Passwords> {
  const { storedKinds, metrics, tracing = noTracing } = dependencies;
  const options = {
    memoryCost: settings.memoryKib,
    timeCost: settings.timeCost,
    parallelism: 1,
  };

  const presentKind = kindOf(await hash('', options));
  lowerHashingPriority();
  // the first hash loads the library; the second measures the duration
  const startedMs = performance.now();
  await hash('', options);
  const queue = createWorkQueue({
    concurrency: settings.concurrency,
    queueSeconds: settings.queueSeconds,
    firstEstimateSeconds: (performance.now() - startedMs) / 1000,
  });

  /** Runs one hash computation on a worker thread when a slot is free. */
  async function work<Result>(piece: () => Promise<Result>): Promise<Result> {
    const tellQueue = (): void => metrics.setHashQueue(queue.running(), queue.waiting());
    const measured = async (): Promise<Result> => {
      tellQueue();
      const from = performance.now();
      const result = await piece();
      metrics.countHash('done', (performance.now() - from) / 1000);
      return result;
    };
    try {
      // the span includes the wait, to show where the time of a sign-in goes
      return await tracing.within('password hash', {}, () => {
        const result = queue.run(measured);
        tellQueue();
        return result;
      });
    } catch (error) {
      throw toRefusal(error);
    } finally {
      tellQueue();
    }
  }

  function toRefusal(error: unknown): unknown {
    if (!(error instanceof QueueFullError)) return error;
    metrics.countHash('refused');
    return new ContractError('overloaded', { retryAfterSeconds, detail: 'the hash queue is full' });
  }

  function refusing<Result>(take: () => Result): Result {
    try {
      return take();
    } catch (error) {
      throw toRefusal(error);
    }
  }

  return {
    admit: () => refusing(queue.admit),
    requireRoom: () => refusing(queue.requireRoom),

    refuseWaiting: queue.refuseWaiting,

    async hash(password) {
      const normalised = normalisePassword(password);
      if (isTooLong(normalised))
        throw new ContractError('invalid_new_password', { detail: 'the password is too long' });
      return await work(() => hash(normalised, options));
    },

    async verify(password, storedHash) {
      // Length and forms depend only on the input and not on the account, so the time reveals nothing.
      if (isTooLong(password.normalize('NFC'))) return { matches: false };
      for (const form of formsOf(password)) {
        const verdict = await verifyForm(form, storedHash);
        if (verdict.matches) return verdict;
      }
      return { matches: false };
    },

    async matches(password, storedHash) {
      if (isTooLong(password.normalize('NFC'))) return false;
      for (const form of formsOf(password)) if (await work(() => isHashOf(storedHash, form))) return true;
      return false;
    },
  };

  async function verifyForm(normalised: string, storedHash: string | undefined): Promise<PasswordVerdict> {
    const compute = <Result>(kind: string, one: () => Promise<Result>): Promise<Result> =>
      tracing.within('compute hash', { kind }, one);
    const isPresent = storedHash !== undefined && kindOf(storedHash) === presentKind;
    return await work(async () => {
      const others = new Set(await storedKinds());
      others.delete(presentKind);
      const decoys = decoysBeside(isPresent ? undefined : storedHash, others);
      const matches =
        storedHash !== undefined &&
        (await compute(kindOf(storedHash), () => isHashOf(storedHash, normalised)));
      // Every user costs one hash with the current parameters. If the stored hash has others, this new hash is the
      // one to store.
      const rehash = isPresent ? undefined : await compute(presentKind, () => hash(normalised, options));
      for (const decoy of decoys) await compute(kindOf(decoy), () => isHashOf(decoy, normalised));
      return matches ? { matches, rehash } : { matches };
    });
  }
}

/**
 * Normalises to NFC, because keyboards and systems differ in code points for the same password (NIST SP 800-63B-4,
 * 3.1.1.2). Every space becomes U+0020: a pass phrase that was pasted from a document or typed with an input method can
 * have others, such as U+00A0 and U+3000, which look the same. Nothing is trimmed or truncated.
 */
export function normalisePassword(password: string): string {
  return password.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ');
}

/**
 * The texts to compare: the normalised password; and as it was typed, for a hash that was imported or is older than the
 * normalisation of spaces.
 */
function formsOf(password: string): ReadonlySet<string> {
  return new Set([normalisePassword(password), password.normalize('NFC')]);
}

/** Each code point counts as one character (NIST SP 800-63B-4, 3.1.1.2). */
function isTooLong(password: string): boolean {
  // A code point has at most two units, so such a text is too long and need not be split into code points.
  return password.length > passwordMaximumLength * 2 || Array.from(password).length > passwordMaximumLength;
}

/**
 * How much nicer than the main thread: enough that other threads get about nine tenths of the CPU, and so little that
 * hashing never starves.
 */
const niceness = 10;

/**
 * Lowers the priority of the hashing threads below that of the main thread, so that a flood of sign-ins slows down
 * hashing rather than all other requests (attacks and faults, S66). Linux has per-thread priorities (setpriority(2),
 * "C library/kernel differences"); on other systems this has no effect. Call it after the threads have started.
 */
export function lowerHashingPriority(): void {
  if (process.platform !== 'linux') return;
  const tasks = '/proc/self/task';
  const lowered = Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW);
  try {
    for (const thread of readdirSync(tasks)) {
      const name = readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim();
      if (name === 'libuv-worker') setPriority(Number(thread), lowered);
    }
  } catch {
    // the thread has just ended, or the system hides it: the priority stays unchanged
  }
}
