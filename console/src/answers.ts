import type { Attempt } from '../../identity/src/admin/attempts.ts';
import type { Story as ToldStory } from '../../identity/src/admin/explain-user.ts';
import type { Outcome as SaveOutcome } from '../../identity/src/admin/resource.ts';
import type { RoleName } from '../../identity/src/admin/permissions.ts';
import type { UserPage } from '../../identity/src/admin/user-page.ts';

// The answers of the management API, composed of the service's own types.

/** With an attempt that was asked for: all of its events, over all nodes. */
export type Story = ToldStory & { attempt?: Attempt[] };

export type Outcome = Omit<SaveOutcome, 'secrets'> & { secrets?: Record<string, string> };

export type UserItem = {
  id: string;
  userName: string;
  firstName: string;
  lastName: string;
  email: string | null;
  // Absent unless the actor manages the account.
  phoneNumber?: string | null;
  disabled?: boolean;
};

export type UserEntry = UserItem & UserPage;

export type MemberItem = Pick<UserItem, 'userName' | 'firstName' | 'lastName' | 'email'> & {
  userId: string;
  site: string;
  clientEntitlement: string | null;
  entitlementRequirementsMet: boolean;
  disabled: boolean;
  invitation: { state: 'none' | 'pending' | 'expired' | 'accepted'; until: string | null };
  isAdministrator: boolean;
};

export type RoleItem = {
  id: string;
  role: RoleName;
  site: string | null;
  userId: string;
  userName: string;
  name: string;
};

export type Overview = { items: { kind: string; text: string; href: string; at: string | null }[] };
