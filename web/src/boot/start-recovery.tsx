import { recoveryCalls } from '@anteroom/contract/recovery';
import { createClient } from '../api/client.ts';
import { needTexts } from '../i18n/locale-file.ts';
import { paths } from '../paths.ts';
import type { RecoveryPage } from '../paths.ts';
import { findParameter } from '../query.ts';
import { RecoveryApp } from '../screens/recovery/RecoveryApp.tsx';
import type {
  PasswordLink,
  RecoveryApi,
  RecoveryVisit,
  Referer,
} from '../screens/recovery/recovery-visit.ts';
import type { EarlyStart } from './early-start.ts';
import { drawPage, loadPage, openPage, reportSlow, showBranding } from './standalone-page.tsx';

/** Starts a recovery page. */
export async function startRecovery(early: EarlyStart, page: RecoveryPage): Promise<void> {
  const token = page === 'new-password' || page === 'not-me' ? takeToken() : undefined;
  needTexts('recovery');
  needTexts('passwordChange');
  const { api, environment } = openPage(early);
  const recoveryApi = createClient(recoveryCalls, environment);
  const [known, config] = await loadPage(early, api, (words) =>
    findKnown(recoveryApi, page, readReferer(), token, () => void words.then(reportSlow, () => {})),
  );
  if (known === undefined) return location.replace(paths.error());
  const isInvitation = findParameter(new URLSearchParams(location.search), 'invitation') !== undefined;
  const userName = early.arrival.enteredUserName;
  const visit = { api: recoveryApi, config, userName, isInvitation, ...known };
  drawPage(<RecoveryApp page={page} visit={visit} />);
}

/**
 * Takes the token of the recovery link and removes it from the address bar and the history, so that it exists only in
 * memory. If another link is opened in this tab, only the fragment changes, so the page must reload itself.
 */
function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  window.addEventListener('hashchange', () => location.reload());
  return token === '' ? undefined : token;
}

function readReferer(): Referer {
  const search = new URLSearchParams(location.search);
  return {
    refererClientId: findParameter(search, 'refererClientId'),
    refererRedirectUri: findParameter(search, 'refererRedirectUri'),
  };
}

/** Requests the data that the page shows first; undefined without an answer. */
async function findKnown(
  api: RecoveryApi,
  page: RecoveryPage,
  referer: Referer,
  token: string | undefined,
  onSlow: () => void,
): Promise<Pick<RecoveryVisit, 'referer' | 'context' | 'link'> | undefined> {
  const result = await api.call('getRecoveryContext', { query: referer }, { onSlow });
  if (!result.ok) return undefined;
  const [link] = await Promise.all([openLink(api, page, token), showBranding(result.answer.branding)]);
  return { referer, context: result.answer, link };
}

async function openLink(
  api: RecoveryApi,
  page: RecoveryPage,
  token: string | undefined,
): Promise<PasswordLink> {
  if (token === undefined) return { state: 'missing' };
  if (page === 'not-me') return { state: 'open', token, facts: undefined };
  const result = await api.call('openPasswordLink', { body: { token } });
  if (result.ok) return { state: 'open', token, facts: result.answer };
  return result.failure.code === 'recovery_link_invalid' || result.failure.code === 'validation_failed'
    ? { state: 'invalid' }
    : { state: 'open', token, facts: undefined };
}
