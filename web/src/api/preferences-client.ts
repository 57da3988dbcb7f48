import { preferenceCalls } from '@anteroom/contract/preferences';
import type { PreferenceCallInput } from '@anteroom/contract/preferences';
import { asBase } from './client.ts';
import type { ApiSurroundings } from './client.ts';
import { sendCall } from './send-call.ts';
import type { CallResult } from './send-call.ts';

/** The client of what a person may want otherwise: a part of its own, which a sign-in does not carry. */
export interface PreferencesApi {
  setPreferences: (
    preferences: PreferenceCallInput<'setPreferences'>['body'],
  ) => Promise<CallResult<typeof preferenceCalls.setPreferences>>;
}

export function createPreferencesApi({ correlation, locale, baseAddress }: ApiSurroundings): PreferencesApi {
  return {
    setPreferences: (body) =>
      sendCall(
        preferenceCalls.setPreferences,
        { body },
        { correlation, locale: locale(), base: asBase(baseAddress()) },
      ),
  };
}
