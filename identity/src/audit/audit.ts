import { ContractError } from '../http/errors.ts';

/**
 * All audit events. The name of an event is the attempted action; its `result` says how the action ended. The list is
 * closed, so that searches, metrics and filters cover every event. It is a public interface: `docs/observability.md` is
 * generated from it.
 */
export const auditEvents = {
  // authentication
  'password.check': { when: 'a password was checked at sign-in', details: ['factor', 'nameHash'] },
  'passkey.check': { when: 'a passkey was checked at sign-in', details: ['factor'] },
  'second-factor.send': { when: 'a code was to be sent', details: ['factor', 'asked'] },
  'second-factor.check': { when: 'a code was checked', details: ['factor'] },
  'second-factor.change': {
    when: 'a user set up, renamed or removed an authenticator app, a passkey or a phone number, or made new recovery codes',
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
  // sign-ins, sessions and sign-outs
  'sign-in.finish': { when: 'a sign-in was completed', details: [] },
  'site.choose': { when: 'a user chose a site', details: [] },
  'session.begin': { when: 'a session began', details: ['methods', 'secondFactor', 'replaced'] },
  'session.end': { when: 'a session ended', details: ['region', 'operator', 'via'] },
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
  'user.export': { when: 'a user downloaded the stored data on the account page', details: [] },
  // mail
  'mail.bounce': { when: 'mail to the address of a user was returned', details: ['operator', 'via'] },
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
  // connections to identity providers
  'connection.refresh': {
    when: 'the daily refresh changed or refused the metadata of a SAML connection',
    details: ['fields'],
  },
  // operators, on the command line, in the console and over the management API
  'operator.change': {
    when: 'an operator changed something',
    details: [
      'operator',
      'via',
      'resource',
      'action',
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

/** The details of events beyond the columns. They contain no secrets and no input of visitors. */
export const auditDetails = {
  action: 'the command',
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
  operator: 'who acted: the name of the shell, the id of the user, or the id of the client',
  region: 'the other region',
  replaced: 'keyed hash of the session that this one replaces',
  required: '`yes`, `no`: whether the user had to change the password',
  resource: 'the kind of data, as commands name it',
  route: 'the route of the provider',
  secondFactor: 'why the session has a second factor, or none',
  sessions: 'number of sessions that ended',
  sessionsEnded: 'number of sessions that ended',
  setting: 'the setting that has the key',
  sites: 'number of sites in the mail',
  to: 'the other region',
  via: '`shell`, `console`, `api`: through what the operator acted',
  what: 'what was cleared',
} as const;

type AuditDetail = keyof typeof auditDetails;
export type AuditEventName = keyof typeof auditEvents;

/** An event contains no secrets and no input of visitors. Instead of an unknown user name, it contains `nameHash`. */
export type AuditEvent<Name extends AuditEventName = AuditEventName> = {
  event: Name;
  result: 'success' | 'failure';
  /** The reason for operators: a text, or an error code of the contract. */
  reason?: string | undefined;
  userId?: string | undefined;
  /** The keyed hash of the session id. */
  sessionHash?: string | undefined;
  /** The name of the site. */
  site?: string | undefined;
  clientId?: string | undefined;
  /** The name of the connection. */
  connection?: string | undefined;
  details?: Readonly<
    Partial<Record<(typeof auditEvents)[Name]['details'][number] | 'more', string | undefined>>
  >;
};

/** The request of an event, such as an `Exchange`. */
export type AuditContext = { correlationId: string; address?: string | undefined };

export type Audit = {
  /** Records an event: logs it at once and writes it with the next batch. Never throws and never waits. */
  note: <Name extends AuditEventName>(this: void, event: AuditEvent<Name>, context: AuditContext) => void;
  /**
   * A keyed hash of an unknown user name, to recognise repetitions. The name is not recorded, because it could be a
   * mistyped password.
   */
  nameHash: (this: void, typedName: string) => string;
  /** Tries to write the queued events. */
  flush: () => Promise<void>;
  /** Writes the queued events on shutdown, and logs the number of those that it could not write. */
  close: () => Promise<void>;
  /** Deletes the events beyond the retention period and returns their number. */
  prune: () => Promise<number>;
};

/** Runs `work`. If it throws a contract error, records the event as a failure with the reason, and rethrows. */
export async function noteRefusal<Result>(
  { note }: Pick<Audit, 'note'>,
  event: Omit<AuditEvent, 'result' | 'reason'>,
  context: AuditContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContractError)
      note({ ...event, result: 'failure', reason: error.detail ?? error.code }, context);
    throw error;
  }
}
