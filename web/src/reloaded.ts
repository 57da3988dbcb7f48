import { resumeKey, storableFields, typedKey, withStorage } from './reload-once.ts';

/** Whether the page was reloaded for this chunk, so that the action which needed it can go on. True once. */
export function resumesFor(chunk: string): boolean {
  return take(resumeKey, (stored) => stored === chunk) === chunk;
}

/** Fills in what was typed before a reload, where the field is still empty. */
export function restoreTyped(): void {
  const typed = JSON.parse(take(typedKey, () => true) ?? '{}') as Record<string, string>;
  for (const field of document.querySelectorAll<HTMLInputElement>(storableFields))
    if (field.value === field.defaultValue) field.value = typed[field.name] ?? field.value;
}

/** Returns a stored value, and removes it if it is wanted. */
function take(key: string, isWanted: (value: string | undefined) => boolean): string | undefined {
  return (
    withStorage((storage) => {
      const value = storage.getItem(key) ?? undefined;
      if (isWanted(value)) storage.removeItem(key);
      return value;
    }) || undefined
  );
}
