import { resumeKey, withStorage } from './reload-once.ts';

/** Whether the page was reloaded for this chunk, so that the action which needed it can go on. True once. */
export function resumesFor(chunk: string): boolean {
  return withStorage((storage) => {
    if (storage.getItem(resumeKey) !== chunk) return false;
    storage.removeItem(resumeKey);
    return true;
  });
}
