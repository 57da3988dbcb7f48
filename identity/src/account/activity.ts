import type { activityKinds, AccountCallAnswer } from '@anteroom/contract/account';
import { addSeconds } from '../lib/clock.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import type { AccountCaller } from './required-proofs.ts';

const maximumAgeDays = 30;
const maximumEvents = 100;

type Kind = (typeof activityKinds)[number];

/**
 * The kinds of activity. The key consists of event and result, followed by the reason of a failure, or by the factor
 * and its change.
 */
const kinds: Readonly<Record<string, Kind>> = {
  'session.begin success': 'signed-in',
  'session.end success': 'signed-out',
  'sign-out success': 'signed-out',
  'password.check failure wrong password': 'wrong-password',
  'second-factor.check failure the code is wrong': 'wrong-code',
  'second-factor.check failure the code is last-wrong': 'wrong-code',
  'password.change success': 'password-changed',
  'recovery.new-password success': 'password-changed',
  'recovery.password-link success': 'password-link',
  'recovery.refuse-change success': 'change-refused',
  'second-factor.change success totp set up': 'app-set-up',
  'second-factor.change success totp replaced': 'app-set-up',
  'second-factor.change success totp removed': 'app-removed',
  'second-factor.change success recovery-code made': 'recovery-codes-made',
  'second-factor.change success passkey added': 'passkey-created',
  'second-factor.change success passkey removed': 'passkey-removed',
  'second-factor.change success sms set up': 'phone-number-set',
  'second-factor.change success sms replaced': 'phone-number-set',
  'second-factor.change success sms removed': 'phone-number-removed',
  'device.forget success': 'computers-forgotten',
  'operator.change success': 'changed-by-operator',
};
const events = [...new Set(Object.keys(kinds).map((key) => key.split(' ', 1)[0] ?? ''))];

/** Lists the recent events of the account from the audit log. */
export async function listActivity(
  { audit, clock, database }: Pick<SignInServices, 'audit' | 'clock' | 'database'>,
  { user }: Pick<AccountCaller, 'user'>,
): Promise<AccountCallAnswer<'getAccountActivity'>> {
  // Writes the latest events of this node, which may still be buffered.
  await audit.flush();
  const rows = await database
    .selectFrom('audit_events')
    .leftJoin('sites', 'sites.name', 'audit_events.site')
    .leftJoin('sessions', 'sessions.id_hash', 'audit_events.session_hash')
    .select(['at', 'event', 'result', 'reason', 'details', 'sites.display_name', 'sessions.browser'])
    .where('audit_events.user_id', '=', user.id)
    .where('at', '>', addSeconds(clock.now(), -maximumAgeDays * 24 * 60 * 60))
    .where('event', 'in', events)
    .orderBy('audit_events.number', 'desc')
    .limit(maximumEvents)
    .execute();
  return {
    events: rows.flatMap(({ at, display_name: site, browser, ...event }) => {
      const kind = findKind(event);
      return kind === undefined ? [] : [{ at: at.toISOString(), kind, site, browser }];
    }),
  };
}

function findKind({
  event,
  result,
  reason,
  details,
}: {
  event: string;
  result: string;
  reason: string | null;
  details: Readonly<Record<string, string>>;
}): Kind | undefined {
  // Reauthentication is not a new sign-in: it only replaces the id of the session.
  if (event === 'session.begin' && details['replaced'] !== undefined) return undefined;
  const { factor, change } = details;
  const more = result === 'failure' ? reason : event === 'second-factor.change' && `${factor} ${change}`;
  return kinds[`${event} ${result}${more ? ` ${more}` : ''}`];
}
