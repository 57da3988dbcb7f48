import { afterEach, describe, expect, test, vi } from 'vitest';
import { takeStoredNotice } from './notice.ts';

/** A document with one cookie, which expires as in a browser. */
function carry(value: string): { cookie: string } {
  let cookie = `anteroom_notice=${value}`;
  const page = {
    get cookie(): string {
      return cookie;
    },
    set cookie(written: string) {
      cookie = written.includes('Max-Age=0') ? '' : (written.split(';')[0] ?? '');
    },
  };
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol: 'https:' });
  return page;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the notice in the cookie', () => {
  test('is read once, then deleted [3.6, 9.10]', () => {
    const page = carry(encodeURIComponent('{"level":"info","key":"error.unauthorized"}'));
    expect(takeStoredNotice()).toEqual({ level: 'info', key: 'error.unauthorized' });
    expect(page.cookie).toBe('');
    expect(takeStoredNotice()).toBeUndefined();
  });

  test.each(['', 'x', '%7Bnot', '%E0%A4%A', encodeURIComponent('{"level":"warning","key":"a"}')])(
    'is deleted and ignored if it is invalid: %j [3.6]',
    (unreadable) => {
      const page = carry(unreadable);
      expect(takeStoredNotice()).toBeUndefined();
      expect(page.cookie).toBe('');
    },
  );
});
