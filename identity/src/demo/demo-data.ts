import type { FastifyInstance } from 'fastify';
import { displayNameKey } from '../lib/names.ts';

/** The password of all demo users. The README contains it, so demo data must never reach production. */
export const demoPassword = 'quiet harbor morning 74';

type DemoSite = {
  name: string;
  displayName: string;
  parent?: string;
  sequence: number;
  secondFactorRequired?: boolean;
  allowPasswordEntry?: boolean;
  /** The logo: two colours, and a line in a square of 96 by 96. */
  logo: { background: string; ink: string; line: string };
};

export const demoSites: readonly DemoSite[] = [
  {
    name: 'northwind',
    displayName: 'Northwind Holdings',
    sequence: 0,
    logo: { background: '#123c69', ink: '#f3d9a4', line: 'M48 18 58 48 48 78 38 48ZM16 48h10M70 48h10' },
  },
  {
    name: 'northwind-audit',
    displayName: 'Northwind Audit Committee',
    parent: 'northwind',
    sequence: 1,
    logo: { background: '#1f5a8a', ink: '#f6e7c8', line: 'M26 50 42 66 70 32' },
  },
  {
    name: 'northwind-remuneration',
    displayName: 'Northwind Remuneration Committee',
    parent: 'northwind',
    sequence: 2,
    logo: { background: '#33709f', ink: '#fbf3e1', line: 'M26 70V52M48 70V26M70 70V40' },
  },
  {
    name: 'harbor',
    displayName: 'Harbor Trust',
    sequence: 0,
    logo: {
      background: '#0f5257',
      ink: '#d5f0e6',
      line: 'M48 32a7 7 0 1 0-.1 0V76M34 44h28M22 56c2 13 12 20 26 20s24-7 26-20',
    },
  },
  {
    name: 'summit',
    displayName: 'Summit Foundation',
    sequence: 0,
    secondFactorRequired: true,
    logo: { background: '#5a2a4f', ink: '#f7dcea', line: 'M14 72 40 28 54 52 62 42 82 72Z' },
  },
  {
    name: 'corp',
    displayName: 'Corp Industries',
    sequence: 0,
    allowPasswordEntry: false,
    logo: { background: '#4a3b1f', ink: '#f6e6bd', line: 'M28 74V40L48 26V74M48 42 68 52V74M18 74H78' },
  },
];

/** A company whose employees sign in with its own provider, which the demo portal serves. */
export const demoCompany = {
  name: 'corp',
  displayName: 'Corp Industries',
  domain: 'corp.example',
  site: 'corp',
} as const;

/** A site whose home region differs from that of the other sites. It exists only if there are several regions. */
export const demoRegionSite: DemoSite = {
  name: 'lakeside',
  displayName: 'Lakeside Partners',
  sequence: 0,
  logo: {
    background: '#14506b',
    ink: '#d8f1fb',
    line: 'M16 42c10-9 22-9 32 0s22 9 32 0M16 60c10-9 22-9 32 0s22 9 32 0',
  },
};

export type DemoUser = {
  email: string;
  firstName: string;
  lastName: string;
  /** A number that Ofcom reserves for drama use; messages to it stay in the outbox. */
  phoneNumber?: string;
  hasPassword: boolean;
  mustChangePassword?: boolean;
  /** Who manages the service; an administrator looks after the site `of`. */
  role?: { name: 'owner' } | { name: 'administrator'; of: string };
  /** Site name → the user's label there. */
  sites: Readonly<Record<string, string>>;
  /** Site name → the user's to-dos there. */
  toDos?: Readonly<Record<string, DemoToDos>>;
};

export type DemoToDos = {
  pendingVotes: number;
  openQuestionnaires: number;
  minutes: number;
  actionItems: number;
  /** A book that the user has not seen, or has seen in an older version. */
  book?: 'new' | 'updated';
};

export const demoUsers: readonly DemoUser[] = [
  {
    email: 'director@demo.example',
    firstName: 'Dana',
    lastName: 'Whitfield',
    phoneNumber: '+442079460142',
    hasPassword: true,
    sites: {
      northwind: 'Director',
      'northwind-audit': 'Chair',
      'northwind-remuneration': 'Member',
      harbor: 'none',
      summit: 'Observer',
    },
    toDos: {
      northwind: { pendingVotes: 2, openQuestionnaires: 1, minutes: 1, actionItems: 4, book: 'new' },
      'northwind-audit': { pendingVotes: 0, openQuestionnaires: 24, minutes: 0, actionItems: 1 },
      harbor: { pendingVotes: 1, openQuestionnaires: 0, minutes: 2, actionItems: 0, book: 'updated' },
    },
  },
  {
    email: 'secretary@demo.example',
    firstName: 'Samira',
    lastName: 'Okafor',
    hasPassword: true,
    role: { name: 'administrator', of: 'harbor' },
    sites: { harbor: 'Company secretary' },
  },
  {
    email: 'owner@demo.example',
    firstName: 'Olive',
    lastName: 'Brandt',
    phoneNumber: '+442079460185',
    hasPassword: true,
    role: { name: 'owner' },
    sites: { northwind: 'none' },
  },
  {
    email: 'newcomer@demo.example',
    firstName: 'Noor',
    lastName: 'Lindqvist',
    hasPassword: true,
    mustChangePassword: true,
    sites: { harbor: 'none' },
  },
  {
    email: 'employee@corp.example',
    firstName: 'Elias',
    lastName: 'Marchetti',
    hasPassword: false,
    sites: { corp: 'none' },
  },
];

const logosPath = '/dev/logos';

export function demoLogoPath(site: string): string {
  return `${logosPath}/${site}.svg`;
}

/** The display columns of a demo site's row. */
export function displayed({ name, displayName }: DemoSite) {
  return {
    display_name: displayName,
    display_name_key: displayNameKey(displayName),
    logo_path: demoLogoPath(name),
  };
}

/** Serves the logos of the demo sites. */
export function registerDemoLogos(app: FastifyInstance): void {
  for (const site of [...demoSites, demoRegionSite]) {
    const logo = drawLogo(site);
    app.get(demoLogoPath(site.name), (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'max-age=3600').send(logo),
    );
  }
}

function drawLogo({ logo: { background, ink, line } }: DemoSite): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><path fill="${background}" d="M0 0h96v96H0z"/><path d="${line}" fill="none" stroke="${ink}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}
