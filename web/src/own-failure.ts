/** The folder of the application's files: every frame of its code has an address below it. */
const ownCode = import.meta.url.replace(/[^/]*$/, '');

/** The first line of a stack with a position. Native functions, such as `JSON.parse`, have none. */
const firstFrame = /^(?:\s+at .*|.*@\S+):\d+\)?$/m;

/**
 * Whether the application's own code has failed. Browser extensions, bridges of mobile browsers and mail scanners run
 * code in every page; their failures are none of a sign-in. The first frame names the code that failed. An error of
 * foreign code can have an empty or no stack, and its inline scripts have the address of the page.
 */
export function isOwnFailure(failure: unknown): boolean {
  const stack = failure instanceof Error ? (failure.stack ?? '') : '';
  return firstFrame.exec(stack)?.[0].includes(ownCode) ?? false;
}
