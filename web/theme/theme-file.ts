import { supportedLocales } from '@anteroom/contract';
import * as v from 'valibot';

/** A theme that cannot be applied. The message names the key in the file and what to do. */
export class ThemeError extends Error {}

const colours = v.optional(v.record(v.string(), v.string()));
const themeFile = v.strictObject({
  /** As long as an application's own product name (`boot/branding.ts`). */
  productName: v.optional(
    v.pipe(
      v.string(),
      v.regex(/\S/, 'must not be empty'),
      v.regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u, 'must not contain control characters'),
      v.maxLength(50, 'must have at most 50 characters'),
    ),
  ),
  /** The path of an SVG file, relative to the theme file. */
  logo: v.optional(v.string()),
  /** Values by the names of the tokens in `ui/tokens.css`. */
  colours: v.optional(v.strictObject({ light: colours, dark: colours })),
  /** Texts by language and key, such as `login.signIn`. */
  texts: v.optional(
    v.strictObject(v.entriesFromList(supportedLocales, v.optional(v.record(v.string(), v.string())))),
  ),
});
export type ThemeFile = v.InferOutput<typeof themeFile>;

/** @throws ThemeError for a file with another shape */
export function parseThemeFile(content: unknown): ThemeFile {
  const result = v.safeParse(themeFile, content, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue) ?? 'the theme file';
  if (issue.kind === 'schema' && issue.expected === 'never')
    throw new ThemeError(`${place}: there is no such member. Check the spelling, or remove it.`);
  throw new ThemeError(
    issue.kind === 'schema'
      ? `${place}: must be ${issue.expected ?? 'another value'}, not ${issue.received}.`
      : `${place}: ${issue.message}.`,
  );
}
