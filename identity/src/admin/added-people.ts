import { createAllowances } from '../limits/allowances.ts';
import type { AdminContext } from './admin-context.ts';
import { RefusedError } from './problems.ts';

/** How many e-mail addresses an administrator can name in a day: each answer tells whether there is an account. */
const perDay = { count: 100, windowSeconds: 24 * 60 * 60 };

/** @throws RefusedError when the allowance of the day is used up */
export async function countPeople(context: AdminContext, count: number): Promise<void> {
  const services = await context.services();
  const allowances = createAllowances({ ...services, keyRing: services.keys.limits });
  const { name, via } = context.operation.actor;
  for (let left = Math.min(count, perDay.count + 1); left > 0; left -= 1) {
    const retryAfterSeconds = await allowances.take('person of an administrator', `${via} ${name}`, perDay);
    if (retryAfterSeconds === undefined) continue;
    throw new RefusedError(
      [{ reason: 'an administrator can add 100 people a day', code: 'daily-allowance' }],
      {
        kind: 'limited',
        retryAfterSeconds,
      },
    );
  }
}
