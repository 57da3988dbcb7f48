import { calls } from '@anteroom/contract';
import type { ApiEnvironment } from '../api/client.ts';
import { sendCall } from '../api/send-call.ts';
import { returnUrl } from '../flow/context.ts';
import type { Flow } from '../flow/store.ts';

/**
 * Runs when the visitor returns to a sign-in page that was in the background. If they have signed in in another tab,
 * the context has a `finishedLocation` and the page navigates to it; otherwise nothing changes.
 */
export async function noticeOtherTab(
  { store, send }: Flow,
  { correlation, locale }: ApiEnvironment,
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
  if (result.answer.finishedLocation !== undefined) send({ type: 'CONTEXT_LOADED', context: result.answer });
}
