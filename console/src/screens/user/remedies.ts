import type { Remedy, RemedyName } from '../../../../identity/src/admin/remedies.ts';
import { change } from '../../api.ts';
import { apiPath, paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { listFaults } from '../../ui/outcome/faults.ts';
import type { TestAnswer } from '../../ui/outcome/faults.ts';
import type { UserPage } from './use-user-page.ts';

/** Runs the remedy, or opens the panel that asks for what it needs. */
export function applyRemedy(remedy: Remedy, page: UserPage): void {
  const effect = remedies[remedy.name];
  if ('panel' in effect) page.open(effect.panel, remedy.operation);
  else if ('toAddress' in effect) page.go(effect.toAddress(remedy.target ?? ''));
  else if (page.isReady(remedy.operation))
    void page.act(() => effect.run(page, remedy.target ?? ''), effect.toDone ?? (() => t('remedies.done')));
}

type Effect =
  | { panel: string }
  | { toAddress: (target: string) => string }
  | { run: (page: UserPage, target: string) => Promise<unknown>; toDone?: (answer: unknown) => string };

const send = (action: 'invite' | 'password-link'): Effect => ({
  run: async (page) => await page.post(action, { language: document.documentElement.lang }),
  toDone: (answer) => t('remedies.sent', { email: (answer as { sentTo: string }).sentTo }),
});

/** `target`: the site, the connection or the address. */
const remedies: Readonly<Record<RemedyName, Effect>> = {
  'enable-user': { run: async (page) => await page.patch({ disabled: false }) },
  'add-member': { panel: 'add-membership' },
  'enable-member': {
    run: async ({ entry }, site) =>
      await change('PATCH', apiPath('sites', site, 'members', entry.id), {
        body: { entitlementRequirementsMet: true },
        etag: '*',
      }),
  },
  'enable-site': {
    run: async (_, site) =>
      await change('PATCH', apiPath('sites', site), { body: { disabled: false }, etag: '*' }),
  },
  unlock: { run: async (page) => await page.post('unlock') },
  'unlock-address': {
    run: async (_, address) => await change('POST', 'lockouts/clear', { body: { address } }),
  },
  'clear-codes': { run: async (page) => await page.post('unlock') },
  'password-link': send('password-link'),
  invite: send('invite'),
  'change-email': { panel: 'details' },
  'test-connection': {
    run: async (_, connection) => await change('POST', `${apiPath('connections', connection)}/test`),
    toDone: describeFindings,
  },
  'enable-connection': {
    run: async (_, connection) =>
      await change('PATCH', apiPath('connections', connection), { body: { disabled: false }, etag: '*' }),
  },
  'set-phone-number': { panel: 'details' },
  'lost-phone': { panel: 'lost-phone' },
  'accept-factor': {
    toAddress: paths.siteSettings,
  },
};

function describeFindings(answer: unknown): string {
  const faults = listFaults(answer as TestAnswer);
  return faults.length === 0 ? t('connections.fine') : faults.join(' ');
}
