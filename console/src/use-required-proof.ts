import { useEffect, useState } from 'react';
import type { Operation } from '../../identity/src/admin/permissions.ts';
import { useProof, wasCancelled } from './proof.ts';

/** A form that only this operation can save asks for the proof before anything is typed, unless it was just refused. */
export function useRequiredProof(operation: Operation): void {
  const isReady = useProof();
  const [start] = useState(() => () => isReady(operation));
  useEffect(() => {
    if (!wasCancelled()) start();
  }, [start]);
}
