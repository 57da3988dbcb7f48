import { typedName } from '@anteroom/contract/typed-names';

/** The text of a form field; '' if there is no such field. No form has a field for files. */
export function textOf(data: FormData, name: string): string {
  return (data.get(name) as string | null) ?? '';
}

/** The name or address in a form field. */
export function nameOf(data: FormData, name: string): string {
  return typedName(textOf(data, name));
}
