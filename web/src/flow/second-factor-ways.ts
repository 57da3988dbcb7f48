import type { AuthResponse } from '@anteroom/contract';
import { secondFactorNames } from '@anteroom/contract/factors';

const ways = [...secondFactorNames, 'recovery-code'] as const;

/** A way to prove a second factor that this page can ask for. */
export type Way = (typeof ways)[number];

export interface OfferedWay {
  way: Way;
  /** Where the message goes, masked: the last digits of the phone number, or part of the e-mail address. */
  hint: string | undefined;
}

/**
 * The ways that the page offers, the first to ask for first. Names that the page does not know are left out, and so are
 * passkeys in a browser that cannot use them, unless there is nothing else: then the page says which device is needed.
 */
export function findWays(
  listed: NonNullable<AuthResponse['secondFactors']>,
  canUsePasskeys: boolean,
): readonly OfferedWay[] {
  const known = listed.flatMap(({ name, hint }): OfferedWay[] => {
    const way = ways.find((one) => one === name);
    return way === undefined ? [] : [{ way, hint }];
  });
  const usable = known.filter(({ way }) => way !== 'passkey' || canUsePasskeys);
  return usable.length > 0 ? usable : known;
}
