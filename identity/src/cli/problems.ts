// What ends a command otherwise than done. Exit codes: 0 done, 1 refused (with reasons), 2 not understood.

/** One reason why nothing is written; `line` and `column` where it came from a file, `column` being the field's name. */
export type Problem = { line?: number | undefined; column?: string | undefined; reason: string };

/** More are counted and not told: whoever mends a hundred lines runs the command again anyway. */
const problemsTold = 100;

/** The command was not understood; the message says what it needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood and is not carried out. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly problems: readonly Problem[];
  /** All of them, told or not. */
  readonly count: number;

  constructor(problems: readonly Problem[], count = problems.length) {
    super(problems[0]?.reason ?? 'refused');
    this.problems = problems;
    this.count = count;
  }
}

/** The person at the terminal has broken off. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

export type Problems = {
  add: (problem: Problem) => void;
  areAny: () => boolean;
  /** @throws RefusedError when there are any. */
  refuseIfAny: () => void;
};

export function collectProblems(): Problems {
  const told: Problem[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      if (told.length < problemsTold) told.push(problem);
    },
    areAny: () => count > 0,
    refuseIfAny() {
      if (count === 0) return;
      throw new RefusedError(
        told.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
        count,
      );
    },
  };
}
