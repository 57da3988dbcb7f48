import { useRouteLoaderData } from 'react-router';
import type { Operation } from '../../identity/src/admin/permissions.ts';
import type { Me } from '../../identity/src/manage/answers.ts';
import { get } from './api.ts';
import { loadTexts } from './texts/texts.ts';

export const rootId = 'root';

let latest: Promise<Me> | undefined;

/** The actor, for loaders: they run in parallel with that of the root route. */
export const currentMe = async (): Promise<Me> => await (latest ?? loadMe());

export async function loadMe(): Promise<Me> {
  latest = readMe();
  return await latest;
}

async function readMe(): Promise<Me> {
  try {
    const me = await get<Me>('me');
    await loadTexts({ isOffice: isOffice(me) });
    return me;
  } catch (error) {
    // The page that says why needs texts too.
    await loadTexts({ isOffice: false });
    throw error;
  }
}

/** Whether the actor has a role for the whole installation: owner, support or auditor. */
export const isOffice = (me: Me): boolean => me.roles.some(({ site }) => site === null);

/** Whether the actor may do the operation, at the site if one is given. */
export function may(me: Me, operation: Operation, site?: string): boolean {
  const scope = me.operations[operation];
  if (scope === undefined) return false;
  return scope === 'all' || site === undefined || scope.includes(site);
}

/** Whether the actor must confirm that it is them before the operation. */
export function needsProof(me: Me, operation: Operation, now = Date.now()): boolean {
  return me.fresh.includes(operation) && (me.freshUntil === null || Date.parse(me.freshUntil) <= now);
}

export function useMe(): Me {
  const me = useRouteLoaderData<Me>(rootId);
  if (!me) throw new Error('The root route has not loaded');
  return me;
}
