import { carryUserName } from '../carried-user-name.ts';
import { ignoreStraySecondClicks } from './second-clicks.ts';

/** What the page does about clicks, fetched once the first screen is there: it is no weight of that screen. */
export function startLate(): void {
  const { signal } = new AbortController();
  ignoreStraySecondClicks(signal);
  carryUserName(signal);
}
