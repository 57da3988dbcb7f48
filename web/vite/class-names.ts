import { globSync } from 'node:fs';
import { join } from 'node:path';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Names for the classes of CSS modules, of two characters: a letter for the file, and the position of the class in it.
 * Hashes of a safe length cannot be compressed.
 */
export function shortClassNames(root: string): (name: string, file: string) => string {
  const files = globSync('src/**/*.module.css', { cwd: root })
    .map((file) => join(root, file))
    .toSorted();
  const found = new Map<string, string[]>();
  return (name, file) => {
    const names = found.get(file) ?? [];
    found.set(file, names);
    if (!names.includes(name)) names.push(name);
    const letter = letters[files.indexOf(file)];
    if (letter === undefined) throw new Error(`No letter is left for ${file}`);
    // Content blockers hide elements of the class `ad`.
    return `${letter}${names.indexOf(name).toString(36).replace('d', '_')}`;
  };
}
