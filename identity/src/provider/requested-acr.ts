import * as v from 'valibot';
import { acrValues, secondFactorAcr } from '../sessions/assurance.ts';

/**
 * The `acr` values that a client requests; any of them satisfies it. `essential`: the client requires an error if none
 * can be reached.
 */
export type RequestedAcr = { values: readonly string[]; essential: boolean };

/** The `claims` parameter with a requested `acr` (OpenID Connect Core, 5.5.1.1). */
const claimsWithAcr = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    id_token: v.object({
      acr: v.object({
        essential: v.optional(v.boolean(), false),
        value: v.optional(v.string()),
        values: v.optional(v.array(v.string()), []),
      }),
    }),
  }),
);

/** Reads the requested acr. `acr_values` is voluntary and takes precedence over `claims`, as in the provider. */
export function readRequestedAcr(parameters: Readonly<Record<string, unknown>>): RequestedAcr {
  const { acr_values: voluntary, claims } = parameters;
  if (typeof voluntary === 'string' && voluntary !== '')
    return { values: voluntary.split(' '), essential: false };
  const parsed = v.safeParse(claimsWithAcr, claims);
  if (!parsed.success) return { values: [], essential: false };
  const { essential, value, values } = parsed.output.id_token.acr;
  return { values: value === undefined ? values : [value, ...values], essential };
}

/** Whether only a second factor satisfies the requested acr. */
export function isSecondFactorRequested(parameters: Readonly<Record<string, unknown>>): boolean {
  const known = readRequestedAcr(parameters).values.filter((value) => acrValues.includes(value));
  return known.length > 0 && known.every((value) => value === secondFactorAcr);
}
