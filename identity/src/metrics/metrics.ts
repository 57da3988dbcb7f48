import type { Metric } from '@anteroom/contract';
import type { Registry } from 'prom-client';
import type { ConnectionCounts } from '../store/server-pool.ts';
import type { WatchedStatement } from '../store/statement-watch.ts';
import type { LabelOf } from './metric-definitions.ts';

/** Code messages in an hour: to all numbers, and to one range of numbers. */
type MessageCounts = { all: number; range: number };

/** Figures of the service, for Prometheus. */
export type Metrics = {
  registry: Registry;
  setBuild: (build: Record<LabelOf<'anteroom_build_info'>, string>) => void;
  /** What a front end reported (`POST /api/ui/metrics`); names it does not know are counted as `other`. */
  receive: (reported: readonly Metric[]) => void;
  /** A step of a sign-in ended: `result` is a contract status or error code. */
  countSignInStep: (step: string, result: string) => void;
  /** Something was noted in the audit log: sign-ins and what belongs to them, by result. */
  countAuditEvent: (event: string, result: string) => void;
  /** Events that could not be written and are in the log alone. */
  countLostAuditEvents: (count: number) => void;
  /** A limit refused an attempt. */
  countLimited: (by: 'account' | 'address') => void;
  /** A message was handed to a gateway, or was not. */
  countMessage: (kind: 'sms' | 'mail', outcome: string, gateway: 'first' | 'fallback') => void;
  /** The budgets of code messages, read from the database with each look at the figures. */
  watchCodeBudgets: (allowed: MessageCounts, read: () => Promise<MessageCounts>) => void;
  /** Counts sign-out notifications to applications, by outcome. */
  countSignOutNotice: (outcome: 'delivered' | 'failed' | 'given-up') => void;
  /** A browser reported what a content policy forbade. */
  countPolicyReport: (directive: string) => void;
  /** What became of a try to send a notice, and how many are still to be sent. */
  countNotice: (outcome: string) => void;
  setNoticesWaiting: (count: number) => void;
  countHash: (outcome: 'done' | 'refused', durationSeconds?: number) => void;
  setHashQueue: (running: number, waiting: number) => void;
  /** `call` is the name of a contract's call, or the method and the pattern of another route. */
  countRequest: (call: string, status: number, durationSeconds: number) => void;
  observeStatement: (statement: WatchedStatement) => void;
  /** The connections to a database server, asked for with each look at the figures. */
  watchConnections: (connections: () => ConnectionCounts) => void;
  /** When certificates of companies expire, asked for in the same way. */
  watchCertificates: (find: () => Promise<readonly { connection: string; expiresAt: Date }[]>) => void;
  /** Lines that were left out of the log, asked for in the same way. */
  watchLostLogLines: (lost: () => number) => void;
};
