/** What can help, with the operation that permits it, and its command. `target`: the site, connection or address. */
export const remedies = {
  'enable-user': { operation: 'users:write', command: (user) => `users enable ${user}` },
  'add-member': { operation: 'members:write', command: (user, site) => `members add ${user} ${site}` },
  'enable-member': { operation: 'members:write', command: (user, site) => `members enable ${user} ${site}` },
  'enable-site': { operation: 'sites:write', command: (_user, site) => `sites enable ${site}` },
  unlock: { operation: 'users:factors', command: (user) => `lockouts clear --user ${user}` },
  'unlock-address': {
    operation: 'users:factors',
    command: (_user, address) => `lockouts clear --address ${address}`,
  },
  'clear-codes': { operation: 'users:factors', command: (user) => `lockouts clear --user ${user}` },
  'password-link': { operation: 'users:help', command: (user) => `users invite ${user}` },
  invite: { operation: 'users:help', command: (user) => `users invite ${user}` },
  'change-email': { operation: 'users:write', command: (user) => `users update ${user} --email …` },
  'test-connection': {
    operation: 'connections:read',
    command: (_user, connection) => `connections test ${connection}`,
  },
  'enable-connection': {
    operation: 'connections:write',
    command: (_user, connection) => `connections enable ${connection}`,
  },
  'set-phone-number': {
    operation: 'users:factors',
    command: (user) => `users update ${user} --phone-number …`,
  },
  'lost-phone': { operation: 'users:factors', command: (user) => `users remove-authenticator ${user}` },
  'accept-factor': {
    operation: 'sites:write',
    command: (_user, site) => `sites update ${site} --authenticator-apps`,
  },
} as const satisfies Record<string, { operation: string; command: (user: string, target: string) => string }>;

export type RemedyName = keyof typeof remedies;
export type Remedy = {
  name: RemedyName;
  operation: (typeof remedies)[RemedyName]['operation'];
  target?: string;
};
