import * as v from 'valibot';
import { maybe } from '../schema.ts';

/**
 * The branding of the requesting application, from its registration. The front end validates the logo's address like
 * any other, parses the colour strictly, and adjusts the colour until text on it and beside it has enough contrast.
 */
export const branding = v.object({
  productName: maybe(v.string()),
  logoUrl: maybe(v.string()),
  /** `#rrggbb`. */
  accentColour: maybe(v.string()),
});
export type Branding = v.InferOutput<typeof branding>;
