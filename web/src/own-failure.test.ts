import { describe, expect, test } from 'vitest';
import { isOwnFailure } from './own-failure.ts';

const own = import.meta.url.replace(/own-failure\.test\.ts.*$/, 'app-a1b2c3.js');
const page = 'https://id.example/ui/account/login';

function errorWith(stack: string): Error {
  const error = new TypeError('failed');
  error.stack = stack;
  return error;
}

describe('a failure of the application’s own code [8.3, F18]', () => {
  test.each([
    ['Chromium', `TypeError: failed\n    at x (${own}:1:2)\n    at fetch (chrome-extension://abc/a.js:1:1)`],
    ['Chromium, an anonymous function', `TypeError: failed\n    at ${own}:1:2`],
    [
      'Chromium, inside a native function',
      `Error: failed\n    at JSON.parse (<anonymous>)\n    at x (${own}:1:2)`,
    ],
    ['Firefox', `x@${own}:1:2\nonclick@${page}:1:1\n`],
    ['Safari', `[native code]\nmap@[native code]\nx@${own}:1:2`],
    ['a message of several lines', `Error: 1\nat line:2\n    at x (${own}:1:2)`],
  ])('is recognised in %s', (_browser, stack) => {
    expect(isOwnFailure(errorWith(stack))).toBe(true);
  });
});

describe('a failure of foreign code [8.3, F18]', () => {
  test.each([
    [
      'an extension in Chromium',
      `TypeError: failed\n    at b (chrome-extension://abc/inject.js:1:2)\n    at x (${own}:1:2)`,
    ],
    ['an extension in Firefox', `b@moz-extension://0f/inject.js:1:2\nx@${own}:1:2`],
    ['an extension in Safari', `b@safari-web-extension://0f/inject.js:1:2\nx@${own}:1:2`],
    ['an extension whose address Safari hides', `b@webkit-masked-url://hidden/:1:2\nx@${own}:1:2`],
    ['a user script in Safari', `b@user-script:2:1:5\nglobal code@user-script:2:9:1`],
    ['an injected inline script', `ReferenceError: failed\n    at ${page}:1:27`],
    [
      'an injected script of another site',
      'TypeError: failed\n    at https://cdn.example/ui/assets/app/app-a1b2c3.js:1:2',
    ],
    ['evaluated code', 'TypeError: failed\n    at eval (eval at <anonymous> (:1:1), <anonymous>:1:7)'],
    ['a message that names a file of the application', `Error: Failed to fetch ${own}:1`],
    ['an error without frames', 'TypeError: failed'],
    ['an error with an empty stack', ''],
  ])('is recognised: %s', (_code, stack) => {
    expect(isOwnFailure(errorWith(stack))).toBe(false);
  });

  test.each([
    ['Object Not Found Matching Id:2, MethodName:update, ParamCount:4'],
    [undefined],
    [null],
    [0],
    [{ message: 'failed', stack: `x@${own}:1:2` }],
  ])('is recognised without an error: %j', (reason) => {
    expect(isOwnFailure(reason)).toBe(false);
  });
});
