import * as v from 'valibot';
import { findCookie, writeCookie } from '../cookies.ts';

const cookieName = 'anteroom_notice';
const notice = v.object({ level: v.picklist(['error', 'info']), key: v.string() });

export type StoredNotice = v.InferOutput<typeof notice>;

/** Reads the notice from the cookie once and deletes it, valid or not. */
export function takeStoredNotice(): StoredNotice | undefined {
  const stored = findCookie(cookieName);
  // Deletes the cookie even if it cannot be decoded; otherwise it would be sent with every visit.
  writeCookie(cookieName, '', 'deleted');
  const parsed = v.safeParse(notice, parseJson(stored));
  return parsed.success ? parsed.output : undefined;
}

function parseJson(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
