import type { Finding } from '../../../../identity/src/admin/connection-test.ts';

export type TestAnswer = { findings: Finding[] };

/** What a test of a connection found wrong. */
export const listFaults = ({ findings }: TestAnswer): string[] =>
  findings.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
