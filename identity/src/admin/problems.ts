/** What kind of refusal it is; a face turns it into its own signal, such as a status of HTTP. */
export type RefusalKind =
  | 'invalid'
  | 'missing'
  | 'conflict'
  | 'changed'
  | 'forbidden'
  | 'proof'
  | 'limited'
  | 'busy';

/** A reason that the user of a face in another language can meet. */
export type ReasonCode =
  | 'required'
  | 'exists'
  | 'taken'
  | 'not-managed'
  | 'no-email'
  | 'signs-in-elsewhere'
  | 'last-owner'
  | 'last-administrator'
  | 'daily-allowance';

/** One reason why an operation is refused, with its line in the file and its field (`column`). */
export type Problem = {
  line?: number | undefined;
  column?: string | undefined;
  reason: string;
  code?: ReasonCode | undefined;
  /** Default: `invalid`. */
  kind?: RefusalKind | undefined;
};

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
  readonly kind: RefusalKind;
  /** For `changed`: the entry as it is stored now. */
  readonly present: Readonly<Record<string, unknown>> | undefined;
  /** For `limited` and `busy`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    problems: string | readonly Problem[],
    {
      count,
      isPartial = false,
      kind,
      present,
      retryAfterSeconds,
    }: {
      count?: number;
      isPartial?: boolean;
      kind?: RefusalKind;
      present?: Readonly<Record<string, unknown>>;
      retryAfterSeconds?: number;
    } = {},
  ) {
    const listed = typeof problems === 'string' ? [{ reason: problems }] : problems;
    super(listed[0]?.reason ?? 'refused');
    this.problems = listed;
    this.count = count ?? listed.length;
    this.isPartial = isPartial;
    this.present = present;
    this.retryAfterSeconds = retryAfterSeconds;
    const kinds = new Set(listed.map((problem) => problem.kind ?? 'invalid'));
    this.kind = kind ?? (kinds.size === 1 ? ([...kinds][0] ?? 'invalid') : 'invalid');
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
