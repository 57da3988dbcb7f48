import { preferenceCalls } from '@anteroom/contract/preferences';
import type { PreferenceCallInput } from '@anteroom/contract/preferences';
import { asBase } from './client.ts';
import type { ApiEnvironment } from './client.ts';
import { sendCall } from './send-call.ts';
import type { CallResult } from './send-call.ts';

/** The client of the preference calls; a separate chunk, because a sign-in does not need it. */
export interface PreferencesApi {
  setPreferences: (
    preferences: PreferenceCallInput<'setPreferences'>['body'],
  ) => Promise<CallResult<typeof preferenceCalls.setPreferences>>;
}

export function createPreferencesApi({ correlation, locale, baseAddress }: ApiEnvironment): PreferencesApi {
  return {
    setPreferences: (body) =>
      sendCall(
        preferenceCalls.setPreferences,
        { body },
        { correlation, locale: locale(), base: asBase(baseAddress()) },
      ),
  };
}
