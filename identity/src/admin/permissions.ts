/** The roles of people who manage this service. An `administrator` looks after one site and the sites below it. */
export const roleNames = ['owner', 'support', 'auditor', 'administrator'] as const;
export type RoleName = (typeof roleNames)[number];

/** `own`: only within the sites of the administrator. */
type Reach = 'all' | 'own' | 'none';
type Permission = Readonly<Record<RoleName, Reach>> & {
  /** What the operation covers, for the table in the documents. */
  covers: string;
  /** Whether it needs a proof of the last ten minutes from a person in a browser. */
  fresh?: true;
};

const everyone = { owner: 'all', support: 'all', auditor: 'all', administrator: 'own' } as const;
const helpers = { owner: 'all', support: 'all', auditor: 'none', administrator: 'own' } as const;
const owners = { owner: 'all', support: 'none', auditor: 'none', administrator: 'none' } as const;
const ownersAndOwn = { ...owners, administrator: 'own' } as const;

/** Who may do what. An operation is also the name of the scope that permits it to a client. */
export const permissions = {
  'sites:read': { ...everyone, covers: 'see sites' },
  'members:read': { ...everyone, covers: 'see the people of a site' },
  'connections:read': { ...everyone, covers: 'see and test connections' },
  'sites:look': { ...ownersAndOwn, covers: 'change the logo of a site' },
  'sites:write': { ...owners, covers: 'add, change and remove sites', fresh: true },
  'members:write': { ...helpers, covers: 'add and remove people of a site, change their labels' },
  'users:read': { ...everyone, covers: 'see users (administrators: their members)' },
  'users:help': { ...helpers, covers: 'send an invitation or a link to the stored address' },
  'users:factors': {
    ...helpers,
    covers: 'clear lock-outs, end sessions, remove a lost phone (administrators: managed accounts)',
    fresh: true,
  },
  'users:write': {
    ...ownersAndOwn,
    covers: 'add and change users (administrators: change managed accounts)',
    fresh: true,
  },
  'users:remove': { ...owners, covers: 'remove users, export their data', fresh: true },
  'connections:write': { ...owners, covers: 'add, change and remove connections', fresh: true },
  'clients:read': { ...everyone, administrator: 'none', covers: 'see applications' },
  'clients:write': { ...owners, covers: 'add, change and remove applications', fresh: true },
  'roles:write': {
    ...ownersAndOwn,
    covers: 'give and take roles (administrators: administrators of their sites)',
    fresh: true,
  },
  'audit:read': { ...everyone, covers: 'read the audit log (administrators: of their sites)' },
} as const satisfies Readonly<Record<string, Permission>>;

export type Operation = keyof typeof permissions;
export const operations = Object.keys(permissions) as Operation[];

export function isFreshOperation(operation: Operation): boolean {
  return 'fresh' in permissions[operation];
}

/** How far an operation reaches: everywhere, or within these sites (their names). */
export type Scope = 'all' | readonly string[];

/** Somebody's roles, and the names of the sites that these roles reach as an administrator. */
export type HeldRoles = { roles: readonly RoleName[]; sites: readonly string[] };

/** Undefined: none of the roles permits the operation. */
export function scopeOfRoles({ roles, sites }: HeldRoles, operation: Operation): Scope | undefined {
  const reaches = roles.map((role): Reach => permissions[operation][role]);
  if (reaches.includes('all')) return 'all';
  return reaches.includes('own') ? sites : undefined;
}
