import { createAccountApi } from '../api/account-client.ts';
import { localeFileAddress, needTexts } from '../i18n/locale-file.ts';
import { paths } from '../paths.ts';
import { findParameter, withQuery } from '../query.ts';
import { AccountScreen } from '../screens/account/AccountScreen.tsx';
import type { EarlyStart } from './early-start.ts';
import { drawPage, loadPage, openPage, reportSlow, showBranding } from './standalone-page.tsx';

/**
 * Starts the account page. A visitor who is not signed in, or whose authentication is too old, is redirected to the
 * sign-in and back. If the service has no account page, the error page is shown.
 */
export async function startAccount(early: EarlyStart, startFlow: () => Promise<void>): Promise<void> {
  const search = new URLSearchParams(location.search);
  // The redirect back from the sign-in has the parameters `iss` and `state` (RFC 9207).
  const isProved = findParameter(search, 'iss') !== undefined;
  const refererClientId = findParameter(search, 'refererClientId') ?? findParameter(search, 'state');
  history.replaceState(null, '', withQuery(location.pathname, { refererClientId }));
  needTexts('account');
  needTexts('authenticator');
  needTexts('secondFactor');

  const { api, environment } = openPage(early);
  const accountApi = createAccountApi(environment, refererClientId);
  const [result, config] = await loadPage(early, api, (words) =>
    accountApi.read(() => void words.then(reportSlow, () => {})),
  );
  if (!result.ok) {
    const { status } = result.failure;
    if (status === 404) {
      early.arrival.entry = { kind: 'error', errorId: undefined, reason: 'address' };
      early.messages = fetch(localeFileAddress(early.language.locale));
      return await startFlow();
    }
    // Redirects to the sign-in only once, to avoid a loop.
    const mayProve = status === 401 && !isProved;
    return location.replace(mayProve ? accountApi.proofAddress('confirm') : paths.error());
  }
  await showBranding(result.answer.branding);
  drawPage(<AccountScreen api={accountApi} config={config} first={result.answer} />);
}
