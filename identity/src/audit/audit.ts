/**
 * Every event, named for what was attempted; `result` says how it ended. A closed list, so that a search, a metric and an operator's filter
 * know all of it. With `when`, and the names of its `details`. A public interface: `docs/observability.md` is written from this table.
 */
export const auditEvents = {
  // what the visitor proved, or could not
  'password.check': { when: 'a password was checked at sign-in', details: ['factor', 'nameHash'] },
  'passkey.check': { when: 'a passkey was checked at sign-in', details: ['factor'] },
  'second-factor.send': { when: 'a code was to be sent', details: ['factor', 'asked'] },
  'second-factor.check': { when: 'a code was checked', details: ['factor'] },
  'second-factor.change': {
    when: 'a user set up, renamed or removed an authenticator app or a passkey, or made new recovery codes',
    details: ['factor', 'change'],
  },
  'device.remember': { when: 'a computer is remembered and skips the code', details: [] },
  'device.forget': {
    when: 'a user asked for the code again on every remembered computer',
    details: ['devicesForgotten'],
  },
  'external.begin': {
    when: 'a visitor was redirected to an identity provider',
    details: ['forced', 'begunBy'],
  },
  'external.prove': { when: 'the answer of an identity provider was checked', details: [] },
  'external.link': { when: 'an identity of a provider was linked to a user', details: ['by'] },
  // what came of it
  'sign-in.finish': { when: 'a sign-in was completed', details: [] },
  'site.choose': { when: 'a user chose a site', details: [] },
  'session.begin': { when: 'a session began', details: ['methods', 'secondFactor', 'replaced'] },
  'session.end': { when: 'a session ended', details: ['region', 'operator'] },
  'session.use-expired': { when: 'a session was used that had ended', details: [] },
  'sign-out': { when: 'a user signed out', details: [] },
  'sign-out.notice': { when: 'an application was notified of a sign-out', details: ['givenUp'] },
  'region.hand-over': {
    when: 'a user was handed over to or from another region',
    details: ['to', 'from', 'region'],
  },
  // passwords
  'password.change': {
    when: 'a user changed the password',
    details: ['required', 'sessionsEnded', 'devicesForgotten'],
  },
  'recovery.password-link': {
    when: 'a link for a new password was asked for',
    details: ['letter', 'nameHash'],
  },
  'recovery.new-password': {
    when: 'a new password was set with a link',
    details: ['sessionsEnded', 'devicesForgotten'],
  },
  'recovery.refuse-change': {
    when: 'a user refused a change with the link in a mail',
    details: ['sessionsEnded', 'devicesForgotten'],
  },
  'recovery.site-names': {
    when: 'a mail with the names of sites was asked for',
    details: ['sites', 'nameHash'],
  },
  // mail
  'mail.bounce': { when: 'mail to the address of a user was returned', details: ['operator'] },
  // applications
  'client.authenticate': { when: 'an application failed to authenticate', details: [] },
  'client.request': {
    when: 'an authorization, logout, userinfo or introspection request was refused',
    details: ['error', 'route'],
  },
  'code.exchange': { when: 'a code was exchanged for tokens', details: [] },
  'token.issue': { when: 'a service asked for a token of its own', details: [] },
  'token.refresh': { when: 'a refresh token was used', details: [] },
  'token.revoke': { when: 'a token was revoked', details: [] },
  // companies' connections
  'connection.refresh': {
    when: 'the daily refresh changed or refused the metadata of a SAML connection',
    details: ['fields'],
  },
  // operators, on the command line
  'operator.change': {
    when: 'an operator changed something',
    details: [
      'operator',
      'noun',
      'verb',
      'name',
      'fields',
      'added',
      'changed',
      'setting',
      'what',
      'sessions',
      'mustChange',
    ],
  },
} as const satisfies Readonly<Record<string, { when: string; details: readonly AuditDetail[] }>>;

/** What an event says beyond its columns: texts, never secrets, and never anything that a visitor typed. */
export const auditDetails = {
  added: 'number of entries that an import added',
  asked: '`again`: the visitor asked for another code',
  begunBy: '`provider`: the sign-in began at the identity provider',
  by: 'what the link was made by',
  change: 'what was changed',
  changed: 'number of entries that an import changed',
  devicesForgotten: 'number of computers that no longer skip the code',
  error: 'the OAuth error code',
  factor: 'the factor that was checked or changed',
  fields: 'names of the fields that changed',
  forced: '`yes`, `no`: whether the provider had to authenticate the user anew',
  from: 'the other region',
  givenUp: '`yes`: the application is not notified again',
  letter: 'what the mail contains: `link`, or that the user signs in elsewhere',
  methods: 'authentication methods (RFC 8176)',
  more: 'of any event: number of further failures of this kind in the same minute, which have no row',
  mustChange: '`yes`, `no`: whether the user must change the password at the next sign-in',
  name: 'the name of the entry',
  nameHash: 'keyed hash of a name that no user has',
  noun: 'the resource, as commands name it',
  operator: 'who ran the command',
  region: 'the other region',
  replaced: 'keyed hash of the session that this one replaces',
  required: '`yes`, `no`: whether the user had to change the password',
  route: 'the route of the provider',
  secondFactor: 'why the session has a second factor, or none',
  sessions: 'number of sessions that ended',
  sessionsEnded: 'number of sessions that ended',
  setting: 'the setting that has the key',
  sites: 'number of sites in the mail',
  to: 'the other region',
  verb: 'the command',
  what: 'what was cleared',
} as const;

type AuditDetail = keyof typeof auditDetails;
export type AuditEventName = keyof typeof auditEvents;

/** What happened, to whom, and why. Never a secret, nor anything that somebody typed: a name that nobody has is kept as `nameHash`. */
export type AuditEvent<Name extends AuditEventName = AuditEventName> = {
  event: Name;
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
  details?: Readonly<
    Partial<Record<(typeof auditEvents)[Name]['details'][number] | 'more', string | undefined>>
  >;
};

/** In which request it happened; an `Exchange` is one. */
export type Occasion = { correlationId: string; address?: string | undefined };

export type Audit = {
  /** Never throws and never delays anybody: it is logged at once and written with the next batch. */
  note: <Name extends AuditEventName>(this: void, event: AuditEvent<Name>, occasion: Occasion) => void;
  /** A name that nobody has, so that the same one can be recognised and nobody can read it: somebody may have typed a password there. */
  nameHash: (this: void, typedName: string) => string;
  /** Writes what waits; resolves when that has been tried. */
  flush: () => Promise<void>;
  /** The same for a process that stops: what cannot be written now is lost, which is logged. */
  close: () => Promise<void>;
  /** Forgets what is older than it has to be kept; answers how many. */
  prune: () => Promise<number>;
};
