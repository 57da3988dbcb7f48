/**
 * Normalises a sign-in name: capitals, surrounding spaces and full-width letters of an Asian keyboard do not matter.
 * The limits count all variants as one user (attacks and faults, S33).
 */
export function signInNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}
