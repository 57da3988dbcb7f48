import { afterEach, describe, expect, test, vi } from 'vitest';
import { takeStoredNotice } from './notice.ts';

/** A document whose one cookie goes when it is told to, as in a browser. */
function carry(value: string): { cookie: string } {
  let kept = `anteroom_notice=${value}`;
  const page = {
    get cookie(): string {
      return kept;
    },
    set cookie(written: string) {
      kept = written.includes('Max-Age=0') ? '' : (written.split(';')[0] ?? '');
    },
  };
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol: 'https:' });
  return page;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the notice that a cookie carries', () => {
  test('is read once, then deleted', () => {
    const page = carry(encodeURIComponent('{"level":"info","key":"error.unauthorized"}'));
    expect(takeStoredNotice()).toEqual({ level: 'info', key: 'error.unauthorized' });
    expect(page.cookie).toBe('');
    expect(takeStoredNotice()).toBeUndefined();
  });

  test.each(['', 'x', '%7Bnot', '%E0%A4%A', encodeURIComponent('{"level":"warning","key":"a"}')])(
    'is deleted and says nothing when nobody can read it: %j',
    (unreadable) => {
      const page = carry(unreadable);
      expect(takeStoredNotice()).toBeUndefined();
      expect(page.cookie).toBe('');
    },
  );
});
