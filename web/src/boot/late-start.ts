import { carryUserName } from '../carried-user-name.ts';
import { ignoreStraySecondClicks } from './second-clicks.ts';

/** Click handling, loaded after the first screen to keep that small. */
export function startLate(): void {
  const { signal } = new AbortController();
  ignoreStraySecondClicks(signal);
  carryUserName(signal);
}
