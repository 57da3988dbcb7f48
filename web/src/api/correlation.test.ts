// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { openCorrelation } from './correlation.ts';

test('the cookie with the correlation id ends with the browser session [9.10]', () => {
  document.cookie = 'anteroom_correlation=; Max-Age=0; Path=/';
  const write = vi.spyOn(document, 'cookie', 'set');
  const { id } = openCorrelation();
  expect(write.mock.calls).toEqual([[expect.stringContaining(`anteroom_correlation=${id}; Path=/`)]]);
  expect(write.mock.calls[0]?.[0]).not.toMatch(/expires|max-age/i);

  expect(openCorrelation().id).toBe(id);
  expect(write).toHaveBeenCalledOnce();
  write.mockRestore();
});
