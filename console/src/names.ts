import type { UserItem } from './answers.ts';

/** The name of a user, or the user name of an account without one. */
export function nameOf({
  firstName,
  lastName,
  userName,
}: Pick<UserItem, 'firstName' | 'lastName' | 'userName'>): string {
  return `${firstName} ${lastName}`.trim() || userName;
}
