import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { permissions, roleNames, scopeOfRoles } from './permissions.ts';

test('the table in docs/operations.md is the table of permissions', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const words = { all: 'yes', own: 'own', none: '–' };
  for (const [name, permission] of Object.entries(permissions)) {
    const cells = [
      `\`${name}\``,
      permission.covers,
      ...roleNames.map((role) => words[permission[role]]),
      'fresh' in permission ? 'yes' : '',
    ];
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    expect(
      row
        ?.split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ).toEqual(cells);
  }
});

test('the widest role decides, and an administrator reaches the own sites', () => {
  const sites = ['harbor'];
  expect(scopeOfRoles({ roles: ['administrator', 'auditor'], sites }, 'sites:read')).toBe('all');
  expect(scopeOfRoles({ roles: ['administrator', 'auditor'], sites }, 'members:write')).toEqual(sites);
  expect(scopeOfRoles({ roles: ['auditor'], sites: [] }, 'members:write')).toBeUndefined();
  expect(scopeOfRoles({ roles: [], sites }, 'sites:read')).toBeUndefined();
});
