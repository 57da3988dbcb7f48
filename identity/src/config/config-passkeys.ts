import type { Environment } from './environment.ts';

export type PasskeySettings = {
  /** The domain that passkeys belong to. After a change, browsers no longer offer the passkeys of the old domain. */
  rpId: string;
  /** The origins whose pages can use passkeys: those of all regions. */
  origins: string[];
};

export function toPasskeySettings(env: Environment, publicUrl: string): PasskeySettings | undefined {
  const { PASSKEY_RP_ID: rpId } = env;
  return rpId === undefined ? undefined : { rpId, origins: originsOf(env, publicUrl) };
}

/** A browser refuses a passkey on a page whose host is neither the RP ID nor below it (WebAuthn, 5.1.4.1). */
export function problemsOfPasskeys(env: Environment, publicUrl: string): string[] {
  const { PASSKEY_RP_ID: rpId } = env;
  if (rpId === undefined) return [];
  const uncovered = originsOf(env, publicUrl)
    .map((origin) => new URL(origin).hostname)
    .filter((host) => host !== rpId && !host.endsWith(`.${rpId}`));
  return uncovered.length === 0
    ? []
    : [
        `PASSKEY_RP_ID: must be a domain that all regions share; ${rpId} does not cover ${uncovered.join(', ')}`,
      ];
}

function originsOf({ REGIONS: regions }: Environment, publicUrl: string): string[] {
  return [...new Set([publicUrl, ...regions.map(({ url }) => url)])];
}
