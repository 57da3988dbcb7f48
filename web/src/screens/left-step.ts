import type { Arrival } from '../flow/model.ts';

type LeftStep = NonNullable<Arrival['leftStep']>;

/**
 * Marks this entry of the browser's history while the page shows a step between the password and the session, with the
 * user name that was typed before: after a reload, Back or Forward, the page continues there if the service still awaits
 * the step. A page that is opened anew does not. This file is separate because the start of the page needs it without
 * the screens.
 */
export const markLeftStep = (step: LeftStep | null): void => history.replaceState(step, '');

export const findLeftStep = (): LeftStep | null => history.state as LeftStep | null;
