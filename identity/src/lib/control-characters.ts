const controlCharacter = /\p{Cc}/u;

/** Whether a text contains a control character. PostgreSQL cannot store NUL, and names, ids and addresses never need one. */
export function hasControlCharacter(text: string): boolean {
  return controlCharacter.test(text);
}
