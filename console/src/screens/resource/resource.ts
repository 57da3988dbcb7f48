import type { ResourceName } from '../../../../identity/src/admin/resource.ts';
import type { FieldDescription, Me, ResourceDescription } from '../../../../identity/src/manage/answers.ts';
import { ProblemError } from '../../api.ts';
import { asText } from '../../as-text.ts';
import { may } from '../../me.ts';
import { apiPath, paths } from '../../paths.ts';

const missing = new ProblemError({
  type: '/problems/missing',
  title: 'missing',
  status: 404,
  correlationId: '',
});

/** The description of the resource in the address, from which lists and forms are made. */
export function requireResource(me: Me, name: string | undefined): ResourceDescription {
  const found = me.resources[name as ResourceName];
  if (found === undefined) throw missing;
  return found;
}

export type Entry = Readonly<Record<string, unknown>>;

/** The part of the API's address that names an entry. */
export const nameOfEntry = ({ keys }: ResourceDescription, entry: Entry): string =>
  asText(entry[keys[0] ?? '']);

export const apiPathOf = ({ name }: ResourceDescription, entry: string): string => apiPath(name, entry);

/** The page of an entry: a site has pages of its own. */
export const pageOf = ({ name }: ResourceDescription, entry: string): string =>
  name === 'sites' ? paths.sitePeople(entry) : paths.entry(name, entry);

/** The fields of a form: the required ones first. */
export function formFields(
  { fields }: ResourceDescription,
  { isNew }: { isNew: boolean },
): { name: string; field: FieldDescription; isReadOnly: boolean }[] {
  return Object.entries(fields)
    .filter(([, { readOnly }]) => readOnly !== true)
    .map(([name, field]) => ({ name, field, isReadOnly: field.isKey && !isNew }))
    .toSorted((one, other) => Number(other.field.required) - Number(one.field.required));
}

/** What a form's text means for the API; `null` clears the field. */
export function fromText({ kind }: FieldDescription, text: string | undefined): unknown {
  if (kind === 'flag') return text === 'true';
  if (text === undefined || text === '') return kind === 'list' ? [] : null;
  if (kind === 'list')
    return text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return text;
}

/** `secondFactorFrom` → `Second factor from`; `jwksUri` → `JWKS URI`. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`)
    .replaceAll(/\b(?:id|jwks|pkce|uri|url)(?=s?\b)/g, (letters) => letters.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fields whose text differs from the entry, as a merge patch (RFC 7396). */
export function findPatch(
  { fields }: ResourceDescription,
  { entry, values }: { entry: Entry; values: Readonly<Record<string, string>> },
): Record<string, unknown> {
  const changed = Object.entries(fields).filter(([name, field]) => {
    if (field.readOnly === true || field.isKey) return false;
    const given = field.kind === 'flag' ? String(values[name] === 'true') : values[name];
    const present = field.kind === 'flag' ? String(entry[name] === true) : asText(entry[name]);
    return given !== undefined && normalise(given) !== normalise(present);
  });
  return Object.fromEntries(changed.map(([name, field]) => [name, fromText(field, values[name])]));
}

const normalise = (text: string): string => text.replaceAll('\r\n', '\n').trim();

export const mayChange = (me: Me, { change }: ResourceDescription): boolean => may(me, change);
