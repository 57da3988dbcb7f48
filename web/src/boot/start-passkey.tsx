import { passkeyCalls } from '@anteroom/contract/passkeys';
import { findSafeAddress } from '../addresses.ts';
import { createClient } from '../api/client.ts';
import type { Failure } from '../flow/events.ts';
import { needTexts } from '../i18n/locale-file.ts';
import { paths } from '../paths.ts';
import { createPasskey } from '../screens/passkey-ceremonies.ts';
import { canCreate } from '../screens/passkey-support.ts';
import { PasskeyOffer } from '../screens/passkey/PasskeyOffer.tsx';
import type { EarlyStart } from './early-start.ts';
import { drawPage, loadPage, openPage, showBranding } from './standalone-page.tsx';

/**
 * Starts the page that offers to create a passkey, between a finished sign-in and the application. In a browser that
 * cannot create a passkey, the page redirects to the application at once.
 */
export async function startPasskey(early: EarlyStart): Promise<void> {
  const { returnUrl } = early.arrival;
  needTexts('passkey');
  // These calls do not announce the extension `passkey-offer`, so the service returns the application's address, not this page's.
  const { api, environment } = openPage(early);
  const passkeyApi = createClient(passkeyCalls, { ...environment, extensions: () => ['passkeys'] });

  async function goOn(): Promise<{ failure: Failure } | undefined> {
    const result = await api.call('getPostLoginRedirect', { query: { returnUrl } });
    if (!result.ok) return { failure: result.failure };
    location.replace(findSafeAddress(result.answer.location) ?? paths.error());
    return undefined;
  }

  const mayCreate = await canCreate().catch(() => false);
  if (!mayCreate) {
    if (await goOn()) location.replace(paths.error());
    return;
  }

  const [context, config] = await loadPage(early, api, async () => {
    const result = await api.call('getAuthContext', { query: { returnUrl } });
    if (!result.ok) return undefined;
    await showBranding(result.answer.branding);
    return result.answer;
  });
  drawPage(
    <PasskeyOffer
      create={() =>
        createPasskey({
          begin: () => passkeyApi.call('beginPasskeyEnrolment', { body: { returnUrl } }),
          keep: (credential) => passkeyApi.call('enrolPasskey', { body: { returnUrl, credential } }),
        })
      }
      decline={() => passkeyApi.call('declinePasskey', { body: { returnUrl } })}
      goOn={goOn}
      config={config}
      customizations={context?.loginFlowCustomizations}
    />,
  );
}
