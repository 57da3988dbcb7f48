// Names as people type and paste them. The service reads them more closely (`identity/src/lib/names.ts`). Apart from
// `typed-text.ts`, because the first file of the page contains it (docs/decisions/088-typed-names.md).

/** Characters that no reader sees: format characters and other default-ignorable characters (`DI`). */
const invisible = /[\p{Cf}\p{DI}]+/gu;

/** A name without invisible characters and surrounding spaces. */
export function typedName(typed: string): string {
  return typed.replaceAll(invisible, '').trim();
}
