import { portal } from '../application.ts';
import type { Answer, Browser, Reachable } from '../browser.ts';
import { askUserInfo, followToApplication, redeem, sendPassword } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';

/** The results of the requests of honest visitors. */
export type Load = {
  served: number;
  /** Answered with 503 and Retry-After. */
  deferred: number;
  /** Other errors. */
  failed: string[];
  /** The time of the last request that was not served. */
  lastFailureMs: number;
  /** The start times of the sign-ins that did not succeed. */
  unfinishedSinceMs: number[];
  longestAnswerMs: number;
};

/** The approximate number of requests of a sign-in, including tokens. */
export const requestsOfASignIn = 7;

/**
 * Generates complete sign-ins at a constant rate of requests, regardless of how slow the answers are, until it is
 * stopped. A sign-in with a failed request is abandoned.
 */
export function offerSignIns(
  { app, openBrowser }: { app: Reachable; openBrowser: () => Browser },
  users: readonly { site: string; userName: string; password: string }[],
  requestsPerSecond: number,
): { load: Load; stop: () => Promise<Load> } {
  const load: Load = {
    served: 0,
    deferred: 0,
    failed: [],
    lastFailureMs: 0,
    unfinishedSinceMs: [],
    longestAnswerMs: 0,
  };
  const inFlight = new Set<Promise<void>>();
  let turn = 0;

  const counted: Reachable = {
    async inject(options) {
      const askedMs = performance.now();
      const answer = await app.inject(options).catch((error: unknown) => error);
      const nowMs = performance.now();
      load.longestAnswerMs = Math.max(load.longestAnswerMs, nowMs - askedMs);
      const place = `${String(options.method ?? 'GET')} ${typeof options.url === 'string' ? options.url.split('?', 1)[0] : ''}`;
      if (answer instanceof Error) load.failed.push(`${place}: ${answer.message}`);
      else {
        const { statusCode, headers, body } = answer as Awaited<ReturnType<Reachable['inject']>>;
        const mayRetry = Number(headers['retry-after']) <= 2;
        if (statusCode < 400) {
          load.served += 1;
          return answer as Awaited<ReturnType<Reachable['inject']>>;
        }
        if (statusCode === 503 && mayRetry) load.deferred += 1;
        else load.failed.push(`${place}: ${statusCode} ${body.slice(0, 200)}`);
      }
      load.lastFailureMs = nowMs;
      throw new CountedFailure();
    },
  };

  async function visit(): Promise<void> {
    const user = users[turn % users.length];
    turn += 1;
    if (user === undefined) throw new Error('there are no users to sign in');
    const browser = openBrowser().at(counted);
    const started = await beginSignIn(browser, portal);
    const answer: Answer = await sendPassword(browser, started, user);
    const parameters = await followToApplication(browser, answer);
    const tokens = await redeem({ app: counted }, { ...started, code: parameters.get('code') ?? '' });
    await askUserInfo({ app: counted }, tokens.json()['access_token']);
  }

  const timer = setInterval(
    () => {
      const beganMs = performance.now();
      const visiting: Promise<void> = visit()
        .catch((error: unknown) => {
          load.unfinishedSinceMs.push(beganMs);
          if (!(error instanceof CountedFailure)) load.failed.push(String(error));
        })
        .finally(() => inFlight.delete(visiting));
      inFlight.add(visiting);
    },
    (1000 * requestsOfASignIn) / requestsPerSecond,
  );
  return {
    load,
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
      return load;
    },
  };
}

/** Ends a sign-in after a failure that has already been counted. */
class CountedFailure extends Error {
  override readonly name = 'CountedFailure';
}
