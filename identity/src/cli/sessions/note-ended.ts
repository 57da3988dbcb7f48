import type { Database } from '../../store/schema.ts';
import { noteOperatorEvents } from '../operator-notes.ts';
import type { EndedSession } from '../../openid/end-sessions.ts';

/** Each session that an operator ended, or that ended because of what they did. */
export async function noteEnded(
  transaction: Database,
  now: Date,
  sessions: readonly EndedSession[],
): Promise<void> {
  await noteOperatorEvents(
    transaction,
    now,
    sessions.map(({ idHash, personId, site }) => ({
      event: 'session.end',
      reason: 'ended by an operator',
      personId,
      sessionHash: idHash,
      site,
    })),
  );
}
