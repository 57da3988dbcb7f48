import { pruneExternalSessions } from '../company/external-sessions.ts';
import { refreshMetadata } from '../company/saml/refresh-metadata.ts';
import type { Job } from './jobs.ts';
import type { OpenidProvider } from '../provider/provider.ts';
import { pruneSignIns } from '../sign-in/sign-ins-store.ts';
import type { Services } from '../services.ts';
import { deleteAllExpired } from '../store/expired-rows.ts';

const tidyEverySeconds = 10 * 60;
const noticesEverySeconds = 30;
/** Each provider's metadata is read once a day. After a failure, the next hourly run tries again. */
const metadataEverySeconds = 60 * 60;
const budgetsEverySeconds = 60;
const budgetWarningShare = 0.8;
/** How long a session in another region can outlive its session in this region ("within seconds"). */
const regionsEverySeconds = 2;

/** Deletes expired rows from every table that requests fill, so that no table grows without limit. */
export async function tidyUp(services: Services): Promise<Record<string, number>> {
  const { database, clock } = services;
  return {
    ...(await deleteAllExpired(database, clock.now())),
    sessions: await services.sessions.prune(),
    sign_ins: await pruneSignIns(database, clock.now()),
    audit_events: await services.audit.prune(),
    external_sessions: await pruneExternalSessions(database),
  };
}

/** The jobs that run on one of the nodes. Only the embedded database needs `maintainDatabase`. */
export function jobsOf(
  services: Services,
  { notifyApplications, settle }: Pick<OpenidProvider, 'notifyApplications' | 'settle'>,
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
      // Sends only notices that failed or that a crashed node left: each node sends its own notices at once.
      name: 'notices',
      everySeconds: noticesEverySeconds,
      work: async () => {
        services.notices.sendDue();
        await services.notices.settle();
        return {};
      },
    },
    {
      // Sends failed and left sign-out notices to applications, and those that the command line recorded.
      name: 'sign-out notices',
      everySeconds: noticesEverySeconds,
      work: async () => {
        notifyApplications();
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

/** Warns before a budget of code messages is used up. */
export async function warnOfCodeBudgets({ factors, config, log }: Services): Promise<object> {
  const sent = await factors.countLastHour();
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

/** Notifies other regions of sessions that ended on the command line, or while the other region was unavailable. */
function jobsOfRegions({ regions }: Services): Job[] {
  if (regions === undefined) return [];
  const work = async (): Promise<object> => {
    regions.linkNotices.sendDue();
    await regions.linkNotices.settle();
    return {};
  };
  return [{ name: 'sessions ended for other regions', everySeconds: regionsEverySeconds, work }];
}
