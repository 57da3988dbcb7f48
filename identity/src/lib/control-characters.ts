const controlCharacter = /\p{Cc}/u;

/** Whether a text contains a control character. PostgreSQL cannot store one of them (NUL), and no name, id or address needs any. */
export function hasControlCharacter(text: string): boolean {
  return controlCharacter.test(text);
}
