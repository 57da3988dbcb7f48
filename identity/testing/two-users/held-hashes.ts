import type { Passwords } from '../../src/passwords/passwords.ts';

/** Delays the results of password checks, like a full hash queue, until the test releases them. */
export type HeldHashes = {
  /** Delays the next `count` checks; default: all. */
  hold: (count?: number) => void;
  /** Resolves once each of the calls either waits for a check or has been answered. */
  untilHeld: (calls: readonly Promise<unknown>[]) => Promise<void>;
  /** The number of waiting checks. */
  count: () => number;
  /** Releases the waiting check with this index. */
  release: (index: number) => void;
  /** Releases all checks, and stops delaying. */
  letGo: () => void;
};

/** Intercepts the password checks of all nodes of a service. */
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
      // the caller handles rejections of the calls
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
