import * as v from 'valibot';

/**
 * A member that can be absent or null; both are parsed as undefined (wire contract, "Answers": `?` marks such a member).
 */
export function maybe<const TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value): v.InferOutput<TSchema> | undefined => value ?? undefined),
    ),
  );
}

/** What clients send, in the OpenAPI document, for the schemas that parse more than that. */
export const sentSchemas = new WeakMap<object, Readonly<Record<string, unknown>>>();

/** An enumeration that is parsed case-insensitively. */
export function caseless<const TOptions extends readonly string[]>(options: TOptions) {
  const written = v.custom<TOptions[number]>((value) => typeof value === 'string');
  sentSchemas.set(written, { type: 'string', enum: [...options] });
  return v.pipe(
    written,
    v.transform((value) => value.toLowerCase()),
    v.picklist(options),
  );
}

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The maximum length of an address. Longer addresses are rejected, not truncated. */
const addressMaximumLength = 8000;
export const returnUrl = v.pipe(v.string(), v.maxLength(addressMaximumLength));
