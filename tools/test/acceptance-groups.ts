/**
 * The groups of acceptance checks that must hold whole, because every screen and call they touch exists.
 * A group moves in here with the change that makes it hold.
 */
export const acceptanceGroups: readonly string[] = [
  'routes-and-splash',
  'site-entry',
  'calls-and-headers',
  'second-factor',
  'site-selection',
  'layout-and-language',
];
