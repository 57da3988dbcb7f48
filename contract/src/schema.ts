import * as v from 'valibot';

/**
 * A member that a sender may leave out or set to null; whoever parses it gets undefined for both
 * (wire contract, "Answers": `?` marks a member that may be absent or null).
 */
export function maybe<const TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value): v.InferOutput<TSchema> | undefined => value ?? undefined),
    ),
  );
}

/** What each `caseless` enumeration is written as, for whoever describes it. */
export const caselessOptions = new WeakMap<object, readonly string[]>();

/** An enumeration that is read without regard to case and written as it stands here. */
export function caseless<const TOptions extends readonly string[]>(options: TOptions) {
  const written = v.custom<TOptions[number]>((value) => typeof value === 'string');
  caselessOptions.set(written, options);
  return v.pipe(
    written,
    v.transform((value) => value.toLowerCase()),
    v.picklist(options),
  );
}

/** A count as a server states it. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The longest address that a query or a body may carry; longer ones are refused, not cut. */
const addressMaximumLength = 8000;
export const returnUrl = v.pipe(v.string(), v.maxLength(addressMaximumLength));
