import { branding } from '@anteroom/contract';
import type { Branding } from '@anteroom/contract';
import * as v from 'valibot';

/** The brand in a client's metadata; one that is not of the contract's shape is none, so that a slip in a registration locks nobody out. */
export function brandingOf(metadata: Readonly<Record<string, unknown>>): Branding | undefined {
  const parsed = v.safeParse(branding, metadata['branding']);
  return parsed.success ? parsed.output : undefined;
}
