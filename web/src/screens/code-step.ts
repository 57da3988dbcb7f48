import type { Arrival } from '../flow/model.ts';

type CodeStep = NonNullable<Arrival['codeStep']>;

/**
 * Marks this entry of the browser's history while the page asks for a code, with the user name that was typed before:
 * after a reload, Back or Forward, the page continues there if the service still awaits the code. A page that is opened
 * anew does not. This file is separate because the start of the page needs it without the screen.
 */
export const markCodeStep = (step: CodeStep | null): void => history.replaceState(step, '');

export const findCodeStep = (): CodeStep | null => history.state as CodeStep | null;
