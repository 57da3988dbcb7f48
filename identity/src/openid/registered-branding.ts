import { branding } from '@anteroom/contract';
import type { Branding } from '@anteroom/contract';
import * as v from 'valibot';

/** The brand in a client's metadata. An invalid brand is ignored, so that a registration error does not block sign-ins. */
export function brandingOf(metadata: Readonly<Record<string, unknown>>): Branding | undefined {
  const parsed = v.safeParse(branding, metadata['branding']);
  return parsed.success ? parsed.output : undefined;
}
