import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

test('secrets are redacted even if they are logged by mistake', () => {
  const text = logged((log) => {
    log.info(
      { password: 'marked-1', user: { phoneNumber: 'marked-2' }, body: { code: 'marked-3' } },
      'careless',
    );
    log.info(
      { headers: { cookie: 'marked-4' }, cookie: 'marked-5', session: { token: 'marked-6' } },
      'careless',
    );
    log.error({ err: Object.assign(new Error('it failed'), { parameters: ['marked-7'] }) }, 'careless');
  });
  expect(text).not.toContain('marked');
  expect(text).toContain('it failed');
});

test('each line is one JSON object with a UTC time, whatever its content', () => {
  const text = logged((log) => log.info({ name: 'a\nb\r{"level":"fatal"}' }, 'two\nlines'));
  expect(text.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject({ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/) });
});
