import { pruneExternalRequests } from './enterprise/external-requests.ts';
import { pruneExternalSessions } from './enterprise/external-sessions.ts';
import { refreshMetadata } from './enterprise/saml/refresh-metadata.ts';
import { pruneUsedMessages } from './enterprise/used-messages-store.ts';
import type { Job } from './jobs.ts';
import { pruneNodes } from './keys/nodes.ts';
import { pruneOutbox } from './messages/outbox-store.ts';
import type { Openid } from './openid/openid.ts';
import { pruneOpenidRecords } from './openid/prune-records.ts';
import { pruneSignIns } from './sign-ins/sign-ins-store.ts';
import { pruneSignOuts } from './openid/sign-outs.ts';
import { pruneUsedChallenges } from './passkeys/challenges.ts';
import { pruneRefusals } from './passwords/refusal-links.ts';
import { pruneRegions } from './regions/links-store.ts';
import { prunePasswordLinks } from './recovery/links-store.ts';
import type { Services } from './services.ts';

const tidyEverySeconds = 10 * 60;
const noticesEverySeconds = 30;
/** Each is read once a day; one that could not be read is tried again by the next run. */
const metadataEverySeconds = 60 * 60;
const budgetsEverySeconds = 60;
const budgetWarningShare = 0.8;
/** "Within seconds": how long a session in another region may outlive the one here. */
const regionsEverySeconds = 2;

/** Forgets what has expired, in every table that visitors fill, so that none grows for ever. */
export async function tidyUp(services: Services): Promise<Record<string, number>> {
  const { database, clock } = services;
  return {
    sessions: await services.sessions.prune(),
    signIns: await pruneSignIns(database, clock.now()),
    signOuts: await pruneSignOuts(services),
    openidRecords: await pruneOpenidRecords(database, clock.now()),
    auditEvents: await services.audit.prune(),
    errorRecords: await services.errorRecords.prune(),
    limits: await services.limits.prune(),
    outbox: await pruneOutbox(services),
    passwordLinks: await prunePasswordLinks(database, clock.now()),
    refusalLinks: await pruneRefusals(database, clock.now()),
    secondFactor: await services.secondFactor.prune(),
    usedPasskeyChallenges: await pruneUsedChallenges(database, clock.now()),
    regions: await pruneRegions(database, clock.now()),
    externalRequests: await pruneExternalRequests(database, clock.now()),
    externalSessions: await pruneExternalSessions(database),
    nodes: await pruneNodes(services),
    usedMessages: await pruneUsedMessages(database, clock.now()),
  };
}

/** What one node of all does from time to time; `maintainDatabase` is what the embedded database needs. */
export function jobsOf(
  services: Services,
  { tellApplications, settle }: Pick<Openid, 'tellApplications' | 'settle'>,
  maintainDatabase: () => Promise<unknown>,
): Job[] {
  return [
    {
      name: 'tidy up',
      everySeconds: tidyEverySeconds,
      work: async () => {
        const forgotten = await tidyUp(services);
        await maintainDatabase();
        return { forgotten };
      },
    },
    {
      // those that a node died with, or that nobody took: a notice leaves at once where it was made
      name: 'notices',
      everySeconds: noticesEverySeconds,
      work: async () => {
        services.notices.sendDue();
        await services.notices.settle();
        return {};
      },
    },
    {
      // the same of applications that are still to be told of a sign-out, also of one that an operator's command has made
      name: 'sign-out notices',
      everySeconds: noticesEverySeconds,
      work: async () => {
        tellApplications();
        await settle();
        return {};
      },
    },
    {
      name: 'metadata of providers',
      everySeconds: metadataEverySeconds,
      work: () =>
        refreshMetadata({
          ...services,
          note: (event) => services.audit.note(event, { correlationId: 'metadata-refresh' }),
        }),
    },
    { name: 'code budgets', everySeconds: budgetsEverySeconds, work: () => warnOfCodeBudgets(services) },
    ...jobsOfRegions(services),
  ];
}

/** Warns while there is still something left of the budgets of code messages. */
export async function warnOfCodeBudgets({ secondFactor, config, log }: Services): Promise<object> {
  const sent = await secondFactor.countLastHour();
  for (const [scope, used, allowed] of [
    ['all', sent.all, config.codes.perHour],
    ['range', sent.range, config.codes.perHourAndRange],
  ] as const) {
    if (used >= allowed * budgetWarningShare)
      log.warn(
        { scope, used, allowed },
        'the hourly budget of code messages is nearly used up; EXPECTED_USERS_PER_HOUR raises it',
      );
  }
  return sent;
}

/** Sessions that ended on the command line, or while the other region did not answer. */
function jobsOfRegions({ regions }: Services): Job[] {
  if (regions === undefined) return [];
  const work = async (): Promise<object> => {
    regions.linkNotices.tellDue();
    await regions.linkNotices.settle();
    return {};
  };
  return [{ name: 'sessions ended for other regions', everySeconds: regionsEverySeconds, work }];
}
