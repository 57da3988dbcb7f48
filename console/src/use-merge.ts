import { useState } from 'react';
import { asText } from './as-text.ts';
import { change, getEntry, ProblemError } from './api.ts';

type Values = Readonly<Record<string, unknown>>;

/** A field that another operator has changed in the meantime. */
export type Conflict = { name: string; mine: unknown; theirs: unknown };

/** The name of the choice between both values of a field. */
export const choiceOf = (field: string): string => `${field}:keep`;

const isSame = (one: unknown, other: unknown): boolean => asText(one) === asText(other);

/**
 * Changes an entry on top of the version that the form shows. After a change by another operator nothing is written:
 * both values of each field stand side by side, what was typed stays, and the next save is on top of theirs.
 * `etag`: undefined if the list that showed the entry has no versions; then the entry is compared before the save.
 */
export function useMerge(path: string, given: { entry: Values; etag: string | undefined }) {
  const [shown] = useState(given.entry);
  const [etag, setEtag] = useState(given.etag);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);

  async function findVersion(patch: Values): Promise<string> {
    if (etag !== undefined) return etag;
    const now = await getEntry<Values>(path);
    if (Object.keys(patch).every((name) => isSame(now.entry[name], shown[name]))) return now.etag;
    throw new ProblemError({
      type: '/problems/changed',
      title: 'changed',
      status: 412,
      correlationId: '',
      present: now.entry,
      etag: now.etag,
    });
  }

  /** `choices`: the values of the form, in which the operator has chosen. */
  async function save(patch: Values, choices: Readonly<Record<string, string>>): Promise<unknown> {
    const isMine = ([name]: [string, unknown]): boolean => choices[choiceOf(name)] !== 'theirs';
    const body = Object.fromEntries(Object.entries(patch).filter(isMine));
    try {
      const answer = await change('PATCH', path, { body, etag: await findVersion(body) });
      setConflicts([]);
      return answer;
    } catch (failure) {
      if (failure instanceof ProblemError && failure.kind === 'changed') {
        const { present = {}, etag: latest } = failure.problem;
        setEtag(latest);
        setConflicts(
          Object.entries(patch)
            .filter(([name, mine]) => !isSame(present[name], shown[name]) && !isSame(present[name], mine))
            .map(([name, mine]) => ({ name, mine, theirs: present[name] })),
        );
      }
      throw failure;
    }
  }

  return { shown, conflicts, save };
}
