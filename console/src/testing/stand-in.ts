import type { Operation } from '../../../identity/src/admin/permissions.ts';
import type {
  Me,
  ProblemAnswer as Problem,
  ResourceDescription,
} from '../../../identity/src/manage/answers.ts';
import type { ListedEvent } from '../../../identity/src/admin/audit.ts';
import type { MemberItem, Overview, Story, UserEntry } from '../answers.ts';

const allOperations: Operation[] = [
  'sites:read',
  'members:read',
  'connections:read',
  'sites:look',
  'sites:write',
  'members:write',
  'users:read',
  'users:help',
  'users:factors',
  'users:write',
  'users:remove',
  'connections:write',
  'clients:read',
  'clients:write',
  'roles:write',
  'audit:read',
];
const freshOperations: Operation[] = [
  'sites:write',
  'users:factors',
  'users:write',
  'users:remove',
  'connections:write',
  'clients:write',
  'roles:write',
];

const soon = '2999-01-01T00:00:00.000Z';

export const owner: Me = {
  user: { id: 'owner-1', userName: 'owner@demo.example', name: 'Olivia Owner', email: 'owner@demo.example' },
  roles: [{ role: 'owner', site: null }],
  operations: Object.fromEntries(allOperations.map((operation) => [operation, 'all'])),
  fresh: freshOperations,
  freshUntil: soon,
  signedInUntil: soon,
  sites: [],
  resources: {},
  audit: { events: ['password.check', 'sign-in.finish', 'operator.change'] },
  invitationDays: 14,
};

const secretaryOperations: Operation[] = [
  'sites:read',
  'members:read',
  'connections:read',
  'members:write',
  'users:read',
  'users:help',
  'users:factors',
  'users:write',
  'roles:write',
  'audit:read',
];

export const secretary: Me = {
  ...owner,
  user: { id: 'secretary-1', userName: 'secretary@demo.example', name: 'Sam Secretary', email: null },
  roles: [{ role: 'administrator', site: 'harbor' }],
  operations: Object.fromEntries(secretaryOperations.map((operation) => [operation, ['harbor']])),
  sites: [{ name: 'harbor', displayName: 'Harbor Trust', parent: null }],
};

export const dana: UserEntry = {
  id: 'dana-0001',
  userName: 'dana',
  firstName: 'Dana',
  lastName: 'Whitfield',
  email: 'dana@corp.example',
  isManaged: true,
  disabled: false,
  phoneNumber: null,
  createdAt: '2026-01-05T09:00:00.000Z',
  memberships: [{ site: 'harbor', displayName: 'Harbor Trust', label: 'Chair', mayEnter: true }],
  roles: [],
  bounce: null,
  may: ['users:help', 'users:factors', 'users:write', 'users:remove'],
  factors: {
    password: { changedAt: '2026-03-01T10:00:00.000Z', mustChange: false, imported: null },
    phoneNumber: null,
    app: { setUpAt: '2026-03-02T10:00:00.000Z' },
    passkeys: [],
    companies: [],
    rememberedComputers: ['2026-12-26T10:00:00.000Z'],
  },
  sessions: [
    {
      session: 'abcdef',
      userName: 'dana',
      site: 'harbor',
      methods: 'pwd otp',
      signedInAt: '2026-11-26T08:00:00.000Z',
      lastSeenAt: '2026-11-26T08:30:00.000Z',
      endsAt: '2026-11-26T20:00:00.000Z',
    },
  ],
};

const attempt = { connection: null, address: '192.0.2.7', site: 'harbor', event: 'password.check' } as const;

export const lockedStory: Story = {
  verdict: {
    cause: 'account-locked',
    since: '2026-11-26T09:14:00.000Z',
    sentence: 'Sign-ins with this account are refused after 5 wrong passwords in a row.',
    remedies: [
      { operation: 'users:factors', name: 'unlock' },
      { operation: 'users:help', name: 'password-link' },
    ],
  },
  obstacles: [],
  invitation: undefined,
  memberships: [{ site: 'harbor', displayName: 'Harbor Trust', label: 'Chair', cause: 'account-locked' }],
  attempts: [
    {
      ...attempt,
      at: '2026-11-26T09:14:00.000Z',
      result: 'failure',
      reason: 'wrong password',
      correlationId: 'c-12',
    },
    {
      ...attempt,
      at: '2026-11-23T18:02:00.000Z',
      event: 'sign-in.finish',
      result: 'success',
      reason: null,
      correlationId: 'c-8',
    },
  ],
};

const member = (given: Partial<MemberItem> & { userId: string; userName: string }): MemberItem => ({
  site: 'harbor',
  firstName: '',
  lastName: '',
  email: `${given.userName}@corp.example`,
  clientEntitlement: null,
  entitlementRequirementsMet: true,
  disabled: false,
  invitation: { state: 'accepted', until: null },
  isAdministrator: false,
  ...given,
});

export const harborMembers: MemberItem[] = [
  member({
    userId: 'dana-0001',
    userName: 'dana',
    firstName: 'Dana',
    lastName: 'Whitfield',
    clientEntitlement: 'Chair',
  }),
  member({
    userId: 'ines-0001',
    userName: 'ines',
    firstName: 'Inês',
    lastName: 'Carvalho-Hohenzollern',
    clientEntitlement: 'Independent non-executive director',
    invitation: { state: 'expired', until: '2026-03-03T09:00:00.000Z' },
  }),
  member({
    userId: 'sam-00001',
    userName: 'secretary@demo.example',
    firstName: 'Sam',
    lastName: 'Secretary',
    email: 'secretary@demo.example',
    isAdministrator: true,
  }),
];

const event: ListedEvent = {
  number: '12',
  at: '2026-11-26T09:14:00.000Z',
  event: 'password.check',
  result: 'failure',
  reason: 'wrong password',
  user: 'dana',
  userId: 'dana-0001',
  site: 'harbor',
  clientId: null,
  connection: null,
  address: null,
  correlationId: 'c-12',
  session: null,
  operator: null,
  details: { factor: 'password' },
};

export type Answer = { status?: number; body?: unknown; etag?: string };
export type Received = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  ifMatch: string | null;
};
type Handler = (request: Received) => Answer | Promise<Answer>;
export type Answers = Readonly<Record<string, Handler>>;

export function problem(kind: string, status: number, more: Partial<Problem> = {}): Answer {
  const body: Problem = {
    type: `/problems/${kind}`,
    title: kind,
    status,
    correlationId: 'reference-1',
    ...more,
  };
  return { status, body };
}

/** The answers of a service with one board, by method and path; tests replace some of them. */
export function createAnswers(me: Me, replaced: Answers = {}): Answers {
  const overview: Overview = {
    items: [
      {
        kind: 'certificate',
        text: 'The certificate of corp expires',
        href: 'connections/corp',
        at: '2026-12-20T00:00:00.000Z',
      },
    ],
  };
  return {
    'GET me': () => ({ body: me }),
    'GET overview': () => ({ body: overview }),
    'GET users': ({ query }) => ({
      body: {
        items: 'dana whitfield'.includes((query.get('search') ?? '').toLowerCase()) ? [dana] : [],
        next: null,
      },
    }),
    'GET users/dana-0001': () => ({ body: dana, etag: '"1"' }),
    'GET users/dana-0001/story': () => ({ body: lockedStory }),
    'GET sites/harbor': () => ({ body: { name: 'harbor', displayName: 'Harbor Trust' }, etag: '"s1"' }),
    'GET sites/harbor/members': () => ({ body: { items: harborMembers, next: null } }),
    'GET audit': () => ({ body: { items: [event], next: null } }),
    'POST users/dana-0001/unlock': () => ({ body: { counters: 1, codeMessages: 0 } }),
    'POST users/dana-0001/password-link': () => ({ body: { sentTo: 'dana@corp.example' } }),
    'POST users/dana-0001/lost-phone': () => ({
      body: { removed: ['app', 'computers'], sessions: 1, needsNumber: true },
    }),
    'POST users/ines-0001/invite': () => ({ body: { sentTo: 'ines@corp.example', until: soon } }),
    ...replaced,
  };
}

/** The answer to a request; a path without one is missing. */
export function answerWith(answers: Answers, request: Received): ReturnType<Handler> {
  return answers[`${request.method} ${request.path}`]?.(request) ?? problem('missing', 404);
}

export const connections: ResourceDescription = {
  name: 'connections',
  singular: 'connection',
  summary: 'identity providers of organisations',
  keys: ['name'],
  fields: {
    name: { kind: 'text', help: 'its name for operators', required: true, isKey: true },
    displayName: { kind: 'text', help: 'its name for users', required: true, isKey: false },
    kind: { kind: 'text', help: 'the protocol', required: true, isKey: false, choices: ['saml', 'openid'] },
    domains: { kind: 'list', help: 'e-mail domains', required: false, initial: [], isKey: false },
    sequence: { kind: 'number', help: 'its position', required: false, initial: 0, isKey: false },
    disabled: {
      kind: 'flag',
      help: 'nobody signs in through it',
      required: false,
      initial: false,
      isKey: false,
    },
  },
  filters: { search: { help: 'contains', kind: 'text' } },
  columns: ['name', 'displayName', 'kind'],
  importable: false,
  read: 'connections:read',
  change: 'connections:write',
  remove: 'connections:write',
};

export const corp = {
  name: 'corp',
  displayName: 'Corp',
  kind: 'saml',
  domains: ['corp.example'],
  sequence: 0,
  disabled: false,
};
