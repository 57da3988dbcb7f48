import { portal } from '../application.ts';
import type { Answer, Browser, Reachable } from '../browser.ts';
import { askUserInfo, goBack, redeem, sendPassword } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';

/** What became of the requests of honest visitors. */
export type Load = {
  served: number;
  /** Told to come back in a moment: 503 with Retry-After. */
  putOff: number;
  /** Anything else. */
  failed: string[];
  /** When the last one that was not served came back. */
  lastTroubleMs: number;
  longestAnswerMs: number;
};

/** About as many requests as one whole sign-in has, tokens included. */
export const requestsOfASignIn = 7;

/**
 * Whole sign-ins of people who all have the same password, so many requests a second however slowly they are answered, until it is
 * stopped. Each visitor begins anew after any trouble, as people do.
 */
export function offerSignIns(
  { app, openBrowser }: { app: Reachable; openBrowser: () => Browser },
  people: readonly { site: string; userName: string; password: string }[],
  requestsPerSecond: number,
): { load: Load; stop: () => Promise<Load> } {
  const load: Load = { served: 0, putOff: 0, failed: [], lastTroubleMs: 0, longestAnswerMs: 0 };
  const underWay = new Set<Promise<void>>();
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
        const mayComeBack = Number(headers['retry-after']) <= 2;
        if (statusCode < 400) {
          load.served += 1;
          return answer as Awaited<ReturnType<Reachable['inject']>>;
        }
        if (statusCode === 503 && mayComeBack) load.putOff += 1;
        else load.failed.push(`${place}: ${statusCode} ${body.slice(0, 200)}`);
      }
      load.lastTroubleMs = nowMs;
      throw new Trouble();
    },
  };

  async function visit(): Promise<void> {
    const person = people[turn % people.length];
    turn += 1;
    if (person === undefined) throw new Error('there is nobody to sign in');
    const browser = openBrowser().at(counted);
    const started = await beginSignIn(browser, portal);
    const answer: Answer = await sendPassword(browser, started, person);
    const told = await goBack(browser, answer);
    const tokens = await redeem({ app: counted }, { ...started, code: told.get('code') ?? '' });
    await askUserInfo({ app: counted }, tokens.json()['access_token']);
  }

  const timer = setInterval(
    () => {
      const visiting: Promise<void> = visit()
        .catch((error: unknown) => {
          if (!(error instanceof Trouble)) load.failed.push(String(error));
        })
        .finally(() => underWay.delete(visiting));
      underWay.add(visiting);
    },
    (1000 * requestsOfASignIn) / requestsPerSecond,
  );
  return {
    load,
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      return load;
    },
  };
}

/** What was counted already, and ends a visit. */
class Trouble extends Error {
  override readonly name = 'Trouble';
}
