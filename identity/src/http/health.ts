import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../store/schema.ts';
import { ContractError } from './errors.ts';

/** Turned off first when the process is asked to stop, so that a load balancer sends nothing new. */
export type Readiness = { isStopping: () => boolean; stop: () => void };

export function createReadiness(): Readiness {
  let stopping = false;
  return {
    isStopping: () => stopping,
    stop: () => {
      stopping = true;
    },
  };
}

/** `live`: the process answers. `ready`: it can do its work, the database included. */
export function registerHealth(
  app: FastifyInstance,
  dependencies: { database: Database; readiness: Readiness },
): void {
  app.get('/health/live', () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    if (dependencies.readiness.isStopping()) throw new ContractError('overloaded', { detail: 'stopping' });
    await sql`select 1`.execute(dependencies.database);
    return { status: 'ready' };
  });
}
