/**
 * Everything that is noted, named for what somebody tried; `result` says how it ended. A closed list, so that a search, a metric
 * and an operator's filter know all of it.
 */
export const auditEventNames = [
  // what somebody proved, or could not
  'password.check',
  'second-factor.send',
  'second-factor.check',
  'second-factor.change',
  'device.remember',
  'external.begin',
  'external.prove',
  'external.link',
  // what came of it
  'sign-in.finish',
  'site.choose',
  'session.begin',
  'session.end',
  'session.use-expired',
  'sign-out',
  'sign-out.notice',
  'region.hand-over',
  // passwords
  'password.change',
  'recovery.password-link',
  'recovery.new-password',
  'recovery.refuse-change',
  'recovery.site-names',
  // applications
  'client.authenticate',
  'client.request',
  'code.exchange',
  'token.issue',
  'token.refresh',
  'token.revoke',
  // companies' connections
  'connection.refresh',
  // operators, on the command line
  'operator.change',
] as const;

export type AuditEventName = (typeof auditEventNames)[number];

/** What happened, to whom, and why. Never a secret, nor anything that somebody typed: a name that nobody has is kept as `nameHash`. */
export type AuditEvent = {
  event: AuditEventName;
  result: 'success' | 'failure';
  /** Why, in words or as the wire's code; for operators alone. */
  reason?: string | undefined;
  personId?: string | undefined;
  /** The session's keyed hash. */
  sessionHash?: string | undefined;
  /** The site's name. */
  site?: string | undefined;
  clientId?: string | undefined;
  /** The connection's name. */
  connection?: string | undefined;
  details?: Readonly<Record<string, string | undefined>>;
};

/** In which request it happened; an `Exchange` is one. */
export type Occasion = { correlationId: string; address?: string | undefined };

export type Audit = {
  /** Never throws and never delays anybody: it is logged at once and written with the next batch. */
  note: (this: void, event: AuditEvent, occasion: Occasion) => void;
  /** A name that nobody has, so that the same one can be recognised and nobody can read it: somebody may have typed a password there. */
  nameHash: (this: void, typedName: string) => string;
  /** Writes what waits; resolves when that has been tried. */
  flush: () => Promise<void>;
  /** The same for a process that stops: what cannot be written now is lost, which is logged. */
  close: () => Promise<void>;
  /** Forgets what is older than it has to be kept; answers how many. */
  prune: () => Promise<number>;
};
