/**
 * How sign-in names are compared: whoever types a name with other capitals, spaces around it or the wide letters of an
 * Asian keyboard means the same person, and is counted as the same by the limits (attacks and faults, S33).
 */
export function signInNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}
