import * as v from 'valibot';
import { maybe } from '../schema.ts';

/**
 * How the application that asked wants to be recognised, from its registration. Nothing of it is trusted: the front end follows a logo's address
 * as it does any other, reads a colour strictly, and changes it until text on it and around it can be read.
 */
export const branding = v.object({
  productName: maybe(v.string()),
  logoUrl: maybe(v.string()),
  /** `#rrggbb`. */
  accentColour: maybe(v.string()),
});
export type Branding = v.InferOutput<typeof branding>;
