import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Operation } from '../../../../identity/src/admin/permissions.ts';
import type { UserEntry } from '../../answers.ts';
import { change } from '../../api.ts';
import { useDoing } from '../../doing.ts';
import { useMe } from '../../me.ts';
import { apiPath } from '../../paths.ts';
import { useProof } from '../../proof.ts';
import { useChange } from '../../use-change.ts';

/** The state that the parts of the page share: one change at a time, one result, one open panel. */
export function useUserPage({ entry, etag }: { entry: UserEntry; etag: string }) {
  const me = useMe();
  const isReady = useProof();
  const navigate = useNavigate();
  const { run, isRunning, error, reset } = useChange();
  const { doing, open, close } = useDoing();
  const [done, setDone] = useState<string>();
  const path = apiPath('users', entry.id);

  /** Runs one change; `toDone` says what was done. */
  async function act<Answer>(work: () => Promise<Answer>, toDone: (answer: Answer) => string): Promise<void> {
    setDone(undefined);
    const answer = await run(work);
    if (answer === undefined) return;
    if (doing !== undefined) close();
    setDone(toDone(answer));
  }

  return {
    me,
    entry,
    etag,
    path,
    doing,
    done,
    error,
    isRunning,
    act,
    isReady,
    go: (address: string): void => void navigate(address),
    open: (name: string, operation: Operation): void => {
      setDone(undefined);
      reset();
      open(name, operation);
    },
    close: (): void => {
      reset();
      close();
    },
    may: (operation: Operation): boolean => entry.may.includes(operation),
    post: async <Answer>(action: string, body: object = {}, dryRun = false): Promise<Answer> =>
      await change<Answer>('POST', `${path}/${action}`, { body, dryRun }),
    patch: async (body: object): Promise<unknown> => await change('PATCH', path, { body, etag }),
    remove: async <Answer>(dryRun: boolean): Promise<Answer> =>
      await change<Answer>('DELETE', path, { etag, dryRun }),
  };
}

export type UserPage = ReturnType<typeof useUserPage>;
