import { errorNotice, infoNotice, step, waitFor } from './moves.ts';
import { statesOf } from './state.ts';

export const arrivalStates = statesOf('Arrival', 'credentials', [
  {
    id: 'splash',
    name: 'the splash',
    step: undefined,
    set: ({ script }) => void script.hold('getAuthContext'),
    moves: [waitFor('[data-splash] [role="progressbar"]')],
  },
  {
    id: 'splash-no-answer',
    name: 'the splash, without a response',
    step: undefined,
    set: ({ script }) => script.cut('getAuthContext'),
    moves: [waitFor('[data-splash] [role="status"]')],
  },
  {
    id: 'notice-info',
    name: 'a notice from a previous page',
    notice: { level: 'info', key: 'error.unauthorized' },
    moves: [infoNotice],
  },
  {
    id: 'notice-error',
    name: 'an error from a previous page above the card',
    notice: { level: 'error', key: 'error.serverUnreachable' },
    moves: [errorNotice],
  },
  {
    id: 'language-menu',
    name: 'the language menu',
    moves: [step('credentials'), { do: 'click', on: '[data-action="language"]' }, waitFor('[role="menu"]')],
  },
]);
