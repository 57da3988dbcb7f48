import { describe, expect, test } from 'vitest';
import type { SignedInSession } from '../sessions/session.ts';
import { planWrites } from './begin-session.ts';
import { checks } from './next-step.ts';
import type { Check } from './next-step.ts';
import type { Proofs } from './proofs.ts';

const at = new Date('2026-01-01');
const evidence: Proofs = { password: { userId: 'director', securityVersion: 0, at } };
const begun: SignedInSession = {
  idHash: 'hash',
  browserId: 'browser',
  userId: 'director',
  securityVersion: 0,
  authSite: undefined,
  externallyAuthenticated: false,
  connectionId: undefined,
  providerSessionUid: undefined,
  methods: [{ method: 'pwd', at }],
  createdAt: at,
  lastSeenAt: at,
  absoluteExpiresAt: at,
};
const before = { ...begun, methods: [] };
const none = { session: undefined, otherSession: undefined, evidence };
const missing = (stage: Check['stage']) => checks.find((check) => check.stage === stage);

describe('planWrites', () => {
  test.each([
    ['a proof that the session needs is missing', missing('before-session'), none, 'none', 'alone'],
    ['nothing is missing', undefined, none, 'new', 'with-session'],
    ['a choice after the session is missing', missing('in-session'), none, 'new', 'with-session'],
    ['the session is older than the proof', undefined, { ...none, session: before }, 'new', 'with-session'],
    ['the session includes all proofs', undefined, { ...none, session: begun }, 'continued', 'alone'],
    ['another user is signed in', undefined, { ...none, otherSession: begun }, 'new', 'alone'],
  ] as const)('%s', (_, step, visit, session, proof) => {
    expect(planWrites(step, visit)).toMatchObject({ session, proof });
  });
});
