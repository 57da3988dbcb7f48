import { readFileSync } from 'node:fs';
import { distance } from 'fastest-levenshtein';
import { environment } from './environment.ts';
import { decodeUtf8 } from '../lib/decode-utf8.ts';

/** Settings that can also be read from the file in `<NAME>_FILE`, as container platforms provide secrets. */
export const fileSettings = [
  'SECRETS',
  'SIGNING_JWKS',
  'REGION_SIGNING_JWKS',
  'DATABASE_URL',
  'SMTP_URL',
  'SMS_WEBHOOK_TOKEN',
  'SMS_FALLBACK_WEBHOOK_TOKEN',
  'TWILIO_AUTH_TOKEN',
  'BOARD_SYSTEM_TOKEN',
  'BOARD_SYSTEM_KEYS',
] as const satisfies readonly (keyof typeof environment.entries)[];

/** Lists and JSON. The other settings have one line; a URL would silently absorb a second one. */
const severalLines = new Set<string>([
  'SECRETS',
  'SIGNING_JWKS',
  'REGION_SIGNING_JWKS',
  'BOARD_SYSTEM_KEYS',
] satisfies (typeof fileSettings)[number][]);

/** Shorter names get no suggestion, because they resemble system variables such as `HOST` and `PORT`. */
const shortestSuggested = 8;
const largestDistance = 2;

/**
 * Extracts the settings from `variables`. An empty variable counts as not set, as in shells and compose files. A name that
 * resembles a setting is reported as a problem; other unknown names belong to other programs and are ignored.
 */
export function readVariables(variables: Readonly<Record<string, string | undefined>>): {
  settings: Record<string, string>;
  problems: string[];
} {
  const settings: Record<string, string> = {};
  const problems: string[] = [];
  const names = new Set([...Object.keys(environment.entries), ...fileSettings.map(fileVariable)]);
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined || value === '') continue;
    if (names.has(name)) settings[name] = value;
    else problems.push(...findNearMiss(name, names));
  }
  for (const name of fileSettings) {
    const path = settings[fileVariable(name)];
    if (path === undefined) continue;
    if (settings[name] !== undefined) {
      problems.push(`${name}: is set twice, as ${name} and as ${fileVariable(name)}`);
      continue;
    }
    try {
      const decoded = decodeUtf8(readFileSync(path));
      const text = 'text' in decoded ? decoded.text.trim() : '';
      if ('fault' in decoded) problems.push(`${fileVariable(name)}: the file ${decoded.fault}`);
      else if (!severalLines.has(name) && /[\r\n]/.test(text))
        problems.push(`${fileVariable(name)}: the file has more than one line`);
      else settings[name] = text;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      problems.push(`${fileVariable(name)}: the file cannot be read (${code})`);
    }
  }
  return { settings, problems };
}

function fileVariable(name: string): string {
  return `${name}_FILE`;
}

function findNearMiss(name: string, names: ReadonlySet<string>): string[] {
  if (name.length < shortestSuggested) return [];
  const meant = [...names].find((known) => distance(name.toUpperCase(), known) <= largestDistance);
  return meant === undefined ? [] : [`${name}: there is no such setting; did you mean ${meant}?`];
}
