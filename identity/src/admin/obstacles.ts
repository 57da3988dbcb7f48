import { addSeconds } from '../lib/clock.ts';
import type { Wait } from '../factors/message-limits.ts';
import type { Factor } from '../factors/factor.ts';
import { hasOwnFactor, listAskable } from '../factors/factors.ts';
import { checks } from '../sign-in/next-step.ts';
import { toSignInFacts } from '../sign-in/sign-in-facts.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import type { User } from '../users/users-store.ts';
import { describeEvent } from './attempts.ts';
import type { Attempt } from './attempts.ts';
import type { PresentEvent } from './audit.ts';
import type { Invitation } from './invitations.ts';
import { failureLabels } from './lockouts.ts';
import type { FullCounter } from './lockouts.ts';
import { remedies } from './remedies.ts';
import type { Remedy, RemedyName } from './remedies.ts';

// docs/decisions/082-why-a-user-cannot-sign-in.md

/** `since` and `until`: ISO times; without `until`, it lasts until an operator or the user acts. */
export type Verdict = {
  cause: Cause;
  sentence: string;
  site?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  remedies: Remedy[];
};

/** A site with the user's membership, also a disabled one. */
export type MemberSite = SiteMembership & { label: string | null; disabledAt: Date | null };
/** Without `name`, the reader must not learn which connection it is. */
export type Company = {
  id: string;
  name?: string;
  displayName: string;
  disabledAt: Date | null;
  refusal?: Attempt | undefined;
};

/** The reasons of failures that count, in the attempts. */
const reasonOf = { password: 'wrong password', 'second-factor': 'a wrong code' } as const;

/** What is stored about a user, apart from a site. */
export type UserFacts = {
  user: User;
  now: Date;
  ownUrl: string;
  counters: readonly FullCounter[];
  /** The factors of which no message is sent now. */
  waits: ReadonlyMap<Factor, Wait>;
  resendWaitSeconds: number;
  invitation: Invitation | undefined;
  bounce: { status: string; at: Date } | undefined;
  attempts: readonly Attempt[];
  /** The changes that operators made to the user and the memberships, latest last. */
  changes: readonly PresentEvent[];
  /** Whether addresses, and the connections of other sites, stay hidden. */
  isReduced: boolean;
};

/** `fails`: whether the sign-in would stop at this check of `next-step.ts`, or come to it. */
type Facts = UserFacts & {
  site: MemberSite | undefined;
  /** The connection through which the user must sign in. */
  company: Company | undefined;
  fails: (check: string) => boolean;
};
type Finding = {
  sentence: string;
  since?: Date | string | null | undefined;
  until?: Date | undefined;
  help: readonly (RemedyName | [RemedyName, string | undefined])[];
};

/** In the order in which they stop a sign-in. Each looks only at its own rule: the first one that applies is the verdict. */
const obstacles = {
  disabled: (facts) =>
    facts.fails('active-user') && {
      sentence: 'The account is disabled.',
      since: findChange(facts, { resource: 'users', field: 'disabled' }),
      help: ['enable-user'],
    },
  'no-membership': ({ site, fails, ...facts }) =>
    (site === undefined || fails('entitlement')) && {
      sentence:
        site === undefined
          ? 'The user is a member of no site.'
          : `The user is not a member of ${site.displayName}.`,
      since: site && findChange(facts, { resource: 'members', action: 'remove', site: site.name }),
      help: [['add-member', site?.name]],
    },
  'membership-blocked': ({ site, ...facts }) =>
    site?.isMember === true &&
    !site.entitlementMet && {
      sentence: `The user is a member of ${site.displayName}, but must not enter it: the entitlement requirements are not met.`,
      since: findChange(facts, { resource: 'members', field: 'entitlementRequirementsMet', site: site.name }),
      help: [['enable-member', site.name]],
    },
  'site-disabled': ({ site }) =>
    site !== undefined &&
    site.disabledAt !== null && {
      sentence: `${site.displayName} is disabled.`,
      since: site.disabledAt,
      help: [['enable-site', site.name]],
    },
  'account-locked': (facts) => {
    const lock = findLongest(facts.counters, 'account');
    return (
      lock && {
        sentence: `Sign-ins with this account are refused after ${lock.count} ${failureLabels[lock.kind]} in a row.`,
        since: facts.attempts.find(({ reason }) => reason === reasonOf[lock.kind])?.at,
        until: lock.until,
        help: lock.kind === 'password' ? ['unlock', 'password-link'] : ['unlock', 'lost-phone'],
      }
    );
  },
  'address-locked': ({ counters, isReduced }) => {
    const lock = findLongest(counters, 'address');
    return (
      lock && {
        sentence: `Sign-ins from the address${isReduced ? '' : ` ${lock.who}`} are refused after ${lock.count} ${failureLabels[lock.kind]}.`,
        until: lock.until,
        help: isReduced ? [] : [['unlock-address', lock.who]],
      }
    );
  },
  'invitation-pending': (facts) =>
    isUnanswered(facts, 'pending') && {
      sentence: 'The user was invited and has not chosen a password yet.',
      since: facts.invitation?.sentAt,
      until: facts.invitation?.expiresAt,
      help: ['invite'],
    },
  'invitation-expired': (facts) =>
    isUnanswered(facts, 'expired') && {
      sentence: 'The invitation has expired, and the user never chose a password.',
      since: facts.invitation?.expiresAt,
      help: ['invite'],
    },
  'mail-bounced': ({ bounce, invitation, attempts }) =>
    bounce !== undefined &&
    !worked(attempts, bounce.at) && {
      sentence: `Mail to the user's address was returned (${bounce.status}): no invitation, link or code arrives.`,
      since: bounce.at,
      help: ['change-email', hasChosen(invitation) ? 'password-link' : 'invite'],
    },
  'must-sign-in-at-the-company': ({ company, attempts }) =>
    company !== undefined &&
    company.disabledAt === null &&
    !worked(attempts, new Date(company.refusal?.at ?? 0)) && {
      sentence: `The user signs in at ${company.displayName}, not with a password of this service.${
        company.refusal === undefined
          ? ''
          : ` The last refusal there: ${company.refusal.reason ?? 'unknown'}.`
      }`,
      since: company.refusal?.at,
      help: company.name === undefined ? [] : [['test-connection', company.name]],
    },
  'connection-disabled': ({ company, site, user }) => {
    const sentence = 'The connection through which the user must sign in is disabled';
    if (company !== undefined && company.disabledAt !== null)
      return {
        sentence: `${sentence}: ${company.displayName}.`,
        since: company.disabledAt,
        help: company.name === undefined ? [] : [['enable-connection', company.name]],
      };
    if (site === undefined || company !== undefined) return undefined;
    if (!site.allowPasswordEntry)
      return { sentence: `${site.displayName} accepts no passwords and has no connection.`, help: [] };
    return (
      user.passwordHash === undefined && {
        sentence: 'The user has no password here, and no connection is responsible for the address.',
        help: [],
      }
    );
  },
  'required-factor-missing': ({ site, user, fails }) =>
    site !== undefined &&
    ((fails('second-factor-set-up') && !fails('second-factor-enrolment')) ||
      (fails('password-for-site') && user.passwordHash === undefined && site.asksForSecondFactor)) && {
      sentence: hasOwnFactor(user)
        ? `${site.displayName} requires a second factor and does not accept the one that the user has. It accepts: ${site.secondFactors.join(', ')}.`
        : `${site.displayName} requires a second factor, and the user has none.`,
      help: [
        ...(site.secondFactors.includes('sms') && user.phoneNumber === undefined
          ? (['set-phone-number'] as const)
          : []),
        ['accept-factor', site.name],
      ],
    },
  'code-budget-used-up': ({ site, user, fails, waits, resendWaitSeconds, now }) => {
    const asked = fails('second-factor') ? listAskable(user, site, () => true) : [];
    const ends = asked.map((factor) => {
      const wait = waits.get(factor);
      const isUsedUp = wait?.because === 'budget' || (wait?.waitSeconds ?? 0) > resendWaitSeconds;
      return isUsedUp ? addSeconds(now, wait?.waitSeconds ?? 0) : undefined;
    });
    const [end] = ends;
    return (
      !ends.includes(undefined) &&
      end !== undefined && {
        sentence: 'The budget of messages with a code is used up, so no code is sent.',
        until: end,
        help: ['clear-codes'],
      }
    );
  },
  'password-must-be-changed': (facts) =>
    facts.fails('forced-change') && {
      sentence: 'The user must change the password at the next sign-in.',
      since: findChange(facts, { resource: 'users', field: 'mustChangePassword', action: 'set-password' }),
      help: ['password-link'],
    },
} satisfies Record<string, (facts: Facts) => Finding | false | undefined>;

export type Cause = keyof typeof obstacles | 'none';
export const causes = [...(Object.keys(obstacles) as (keyof typeof obstacles)[]), 'none'] as const;

export function findObstacles(
  known: UserFacts,
  site: MemberSite | undefined,
  company: Company | undefined,
): Verdict[] {
  const failed = listFailedChecks(known, site, company);
  const facts: Facts = { ...known, site, company, fails: (check) => failed.has(check) };
  return Object.entries(obstacles).flatMap(([cause, find]) => {
    const found: Finding | false | undefined = find(facts);
    return found ? [toVerdict(cause as Cause, found, site)] : [];
  });
}

/** Runs the checks of a sign-in at the site, as if the user had just proved the password, or signed in at the company. */
function listFailedChecks(
  { user, now, ownUrl }: UserFacts,
  site: MemberSite | undefined,
  company: Company | undefined,
): ReadonlySet<string> {
  const proof = { userId: user.id, securityVersion: user.securityVersion, at: now };
  const evidence =
    company === undefined ? { password: proof } : { company: { ...proof, connectionId: company.id } };
  const signIn = { promptMethod: undefined, reasons: [], parameters: {} };
  const facts = toSignInFacts(
    { signIn, user: user, session: undefined, evidence, site },
    { isRemembered: false, knows: () => true, ownUrl, now },
  );
  return new Set(checks.filter((check) => !check.holds(facts)).map(({ name }) => name));
}

function toVerdict(cause: Cause, { sentence, since, until, help }: Finding, site?: MemberSite): Verdict {
  return {
    cause,
    sentence,
    site: site?.name,
    since: since instanceof Date ? since.toISOString() : (since ?? undefined),
    until: until?.toISOString(),
    remedies: help.map((one) => {
      const [name, target] = typeof one === 'string' ? [one] : one;
      return { name, operation: remedies[name].operation, ...(target !== undefined && { target }) };
    }),
  };
}

export function describeNone(attempts: readonly Attempt[], site: MemberSite | undefined): Verdict {
  const [last] = attempts;
  const nothing = 'Nothing prevents a sign-in.';
  if (last === undefined)
    return toVerdict('none', { sentence: `${nothing} No attempt is recorded.`, help: [] }, site);
  if (last.result === 'failure') {
    const help = last.reason === reasonOf.password ? ['password-link' as const] : [];
    const sentence = `${nothing} The last attempt failed: ${last.reason ?? 'for an unknown reason'}.`;
    return toVerdict('none', { sentence, since: last.at, help }, site);
  }
  const sentence =
    last.event === 'sign-in.finish'
      ? 'The last attempt succeeded.'
      : `${nothing} The last attempt did not end with a sign-in. Its last step: ${describeEvent(last)}.`;
  return toVerdict('none', { sentence, since: last.at, help: [] }, site);
}

/** The latest change of a field by an operator. */
function findChange(
  { changes }: Pick<Facts, 'changes'>,
  { resource, field, action, site }: { resource: string; field?: string; action?: string; site?: string },
): string | null | undefined {
  return changes.findLast(
    ({ details, ...event }) =>
      details?.['resource'] === resource &&
      (site === undefined || event.site === site) &&
      ((field !== undefined && details['fields']?.split(' ').includes(field) === true) ||
        details['action'] === action),
  )?.at;
}

/** The counter that refuses longest. */
function findLongest(counters: readonly FullCounter[], of: FullCounter['of']): FullCounter | undefined {
  const end = ({ until }: FullCounter): number => until?.getTime() ?? Infinity;
  return counters.filter((one) => one.of === of).toSorted((one, other) => end(other) - end(one))[0];
}

/** Whether the user has not answered the invitation, which has arrived as far as is known, and has no other password. */
function isUnanswered({ invitation, bounce, attempts }: Facts, state: Invitation['state']): boolean {
  const hasPassword = attempts.some(
    ({ event, result }) => event === 'password.check' && result === 'success',
  );
  const hasArrived = invitation !== undefined && (bounce === undefined || bounce.at < invitation.sentAt);
  return invitation?.state === state && hasArrived && !hasPassword;
}

const hasChosen = (invitation: Invitation | undefined): boolean =>
  invitation === undefined || invitation.state === 'accepted';

/** Whether the user has signed in since then, and nothing has failed after that. */
function worked(attempts: readonly Attempt[], since: Date): boolean {
  const last = attempts.find(({ event, result }) => event === 'sign-in.finish' || result === 'failure');
  return last?.result === 'success' && new Date(last.at) > since;
}
