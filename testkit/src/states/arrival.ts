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
    name: 'the splash, while nothing answers',
    step: undefined,
    set: ({ script }) => script.cut('getAuthContext'),
    moves: [waitFor('[data-splash] [role="status"]')],
  },
  {
    id: 'notice-info',
    name: 'a notice that another page has left',
    notice: { level: 'info', key: 'error.unauthorized' },
    moves: [infoNotice],
  },
  {
    id: 'notice-error',
    name: 'an error that another page has left, and the card below it',
    notice: { level: 'error', key: 'error.serverUnreachable' },
    moves: [errorNotice],
  },
  {
    id: 'language-menu',
    name: 'the menu of languages',
    moves: [step('credentials'), { do: 'click', on: '[data-action="language"]' }, waitFor('[role="menu"]')],
  },
]);
