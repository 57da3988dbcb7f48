import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentPolicy } from './content-policy.ts';

const none = { regionOrigins: [], logoOrigins: [] };

function directivesOf(policy: string): Map<string, string[]> {
  return new Map(
    policy.split('; ').map((directive): [string, string[]] => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values];
    }),
  );
}

test('has no unsafe source, no wildcard, no whole scheme, and no other host for scripts [S18]', () => {
  const policy = contentPolicy({ ...none, page: '<script>early()</script><style>a{}</style>' });
  expect(policy).not.toMatch(/unsafe|strict-dynamic|\*|\b(?:data|blob|https?):(?:\s|;|$)/);
  for (const name of ['script-src', 'style-src']) {
    for (const source of directivesOf(policy).get(name) ?? [])
      expect(source).toMatch(/^'self'$|^'sha256-[A-Za-z0-9+/]{43}='$/);
  }
});

test('identifies inline elements by hash, so that no other text is allowed [S18]', () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = directivesOf(
    contentPolicy({ ...none, page: '<script>one()</script><script src="/x.js"></script><style>b{}</style>' }),
  );
  expect(policy.get('script-src')).toEqual(["'self'", hash('one()')]);
  expect(policy.get('style-src')).toEqual(["'self'", hash('b{}')]);
  expect(policy.get('script-src')).not.toContain(hash('two()'));
});

test('forbids everything that it does not list [S18]', () => {
  const policy = directivesOf(contentPolicy({ ...none, page: undefined }));
  expect(policy.get('default-src')).toEqual(["'none'"]);
  for (const name of ['object-src', 'base-uri', 'frame-ancestors', 'font-src'])
    expect(policy.get(name), name).toEqual(["'none'"]);
});
