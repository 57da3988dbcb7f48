import { calls } from '@anteroom/contract';
import type { ApiSurroundings } from '../api/client.ts';
import { sendCall } from '../api/send-call.ts';
import { returnUrl } from '../flow/context.ts';
import type { Flow } from '../flow/store.ts';
import { withSafeAddresses } from './safe-addresses.ts';

/**
 * The visitor returns to a sign-in page that was open in the background. When they have signed in in another tab meanwhile, the context has
 * a `finishedLocation` and the page leaves; any other answer, or none, changes nothing on the page.
 */
export async function noticeOtherTab(
  { store, send }: Flow,
  { correlation, locale }: ApiSurroundings,
): Promise<void> {
  const before = store.getState();
  const { entry, initialisation, loading, site, rememberedSite } = before;
  if (entry.kind !== 'login' || initialisation !== 'INITIALIZED' || loading || before.page === 'error')
    return;
  const result = await sendCall(
    calls.getAuthContext,
    { query: { returnUrl: returnUrl(before), site: site ?? rememberedSite } },
    { correlation, locale: locale(), base: '' },
  );
  const { run, loading: isSubmitting } = store.getState();
  if (!result.ok || isSubmitting || run !== before.run) return;
  const context = withSafeAddresses(result.answer);
  if (context.finishedLocation !== undefined) send({ type: 'CONTEXT_LOADED', context });
}
