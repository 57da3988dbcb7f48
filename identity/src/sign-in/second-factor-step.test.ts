import { expect, test } from 'vitest';
import { countCheck } from './second-factor-step.ts';

test.each([
  ['right', 'succeeded'],
  ['wrong', 'failed'],
  ['last-wrong', 'failed'],
  ['used', 'withdrawn'],
  ['absent', 'withdrawn'],
  ['expired', 'withdrawn'],
  ['exhausted', 'withdrawn'],
] as const)('a code that is %s counts as an attempt that has %s [S36]', async (check, outcome) => {
  // an attempt counts as a failure until it reports something else
  let counted = 'failed';
  await countCheck(
    {
      succeeded: async () => void (counted = 'succeeded'),
      withdraw: async () => void (counted = 'withdrawn'),
      succeeding: () => [],
    },
    check,
  );
  expect(counted).toBe(outcome);
});
