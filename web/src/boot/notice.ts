import * as v from 'valibot';
import { findCookie, writeCookie } from '../cookies.ts';

const cookieName = 'anteroom_notice';
const notice = v.object({ level: v.picklist(['error', 'info']), key: v.string() });

export type StoredNotice = v.InferOutput<typeof notice>;

/** The notice that a cookie carries here; read once, then deleted, whatever it says. */
export function takeStoredNotice(): StoredNotice | undefined {
  const stored = findCookie(cookieName);
  // also one that cannot be decoded, which reads as none: it would come with every visit
  writeCookie(cookieName, '', 'deleted');
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), notice), stored);
  return parsed.success ? parsed.output : undefined;
}
