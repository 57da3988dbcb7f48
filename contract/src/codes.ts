import * as v from 'valibot';
import { mfaCodeLength } from './limits.ts';
import { sentSchemas } from './schema.ts';
import { recoveryCode, typedCode } from './typed-text.ts';

const maximumLength = 100;

/** Parses a code in any spelling; clients should send it in ASCII. */
function codeSchema(shape: RegExp) {
  const written = v.custom<string>((value) => typeof value === 'string' && value.length <= maximumLength);
  sentSchemas.set(written, { type: 'string', pattern: shape.source });
  return v.pipe(written, v.transform(typedCode), v.regex(shape));
}

/** A one-time code. */
export const oneTimeCode = codeSchema(new RegExp(`^[0-9]{${mfaCodeLength}}$`));
/** A one-time code or recovery code. */
export const anyCode = codeSchema(
  new RegExp(`^(?:[0-9]{${mfaCodeLength}}|${recoveryCode.source.slice(1, -1)})$`),
);
