import type { Passwords } from '../../src/passwords/passwords.ts';

/** Stands in the way of password checks, as a full hash queue does: a check that has been made is answered only when it is released. */
export type HeldHashes = {
  /** From now on checks wait: so many of them, or all. */
  hold: (count?: number) => void;
  /** Resolves once so many checks wait, or all of `calls` have been answered without that many. */
  untilHeld: (calls: readonly Promise<unknown>[]) => Promise<void>;
  /** How many checks wait. */
  count: () => number;
  /** Answers one of those that wait; `index` counts from the first one. */
  release: (index: number) => void;
  /** Answers all, and holds none any more. */
  letGo: () => void;
};

/** Takes hold of the password checks of a service (of several nodes: of all of them). */
export function holdHashes(nodes: readonly { services: { passwords: Passwords } }[]): HeldHashes {
  let leftToHold = 0;
  const waiting: (() => void)[] = [];
  let noteChange: () => void = () => undefined;

  for (const { services } of nodes) {
    const verify = services.passwords.verify.bind(services.passwords);
    services.passwords.verify = async (...given) => {
      const verdict = await verify(...given);
      if (leftToHold > 0) {
        leftToHold -= 1;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          noteChange();
        });
      }
      return verdict;
    };
  }

  return {
    hold: (count = Infinity) => void (leftToHold = count),
    count: () => waiting.length,
    async untilHeld(calls) {
      let answered = 0;
      const noteAnswer = (): void => {
        answered += 1;
        noteChange();
      };
      // whoever waits for the calls hears of their faults
      for (const call of calls) void call.then(noteAnswer, noteAnswer);
      await new Promise<void>((resolve) => {
        noteChange = () => {
          if (answered + waiting.length >= calls.length) resolve();
        };
        noteChange();
      });
      noteChange = () => undefined;
    },
    release: (index) => waiting.splice(index, 1)[0]?.(),
    letGo() {
      leftToHold = 0;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}
