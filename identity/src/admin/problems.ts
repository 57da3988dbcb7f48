/** One reason why an operation is refused, with its line in the file and its field (`column`). */
export type Problem = { line?: number | undefined; column?: string | undefined; reason: string };

/** The number of problems that are listed; further problems are only counted. */
const problemsListed = 100;

/** The operation was refused. Nothing was written, unless `isPartial`. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly problems: readonly Problem[];
  /** The number of problems, including those that are not listed. */
  readonly count: number;
  /** Whether some of the work was done, such as sending mail to other users. */
  readonly isPartial: boolean;

  constructor(
    problems: string | readonly Problem[],
    { count, isPartial = false }: { count?: number; isPartial?: boolean } = {},
  ) {
    const listed = typeof problems === 'string' ? [{ reason: problems }] : problems;
    super(listed[0]?.reason ?? 'refused');
    this.problems = listed;
    this.count = count ?? listed.length;
    this.isPartial = isPartial;
  }
}

export type Problems = {
  add: (problem: Problem) => void;
  areAny: () => boolean;
  /** @throws RefusedError when there are any. */
  refuseIfAny: () => void;
};

export function collectProblems(): Problems {
  const listed: Problem[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      if (listed.length < problemsListed) listed.push(problem);
    },
    areAny: () => count > 0,
    refuseIfAny() {
      if (count === 0) return;
      throw new RefusedError(
        listed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
        { count },
      );
    },
  };
}
