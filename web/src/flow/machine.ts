import type { EventType, FlowEvent } from './events.ts';
import type { FlowState } from './model.ts';
import { answerRows } from './steps/answers.ts';
import { credentialsRows } from './steps/credentials.ts';
import { initialisationRows } from './steps/initialisation.ts';
import { logoutRows } from './steps/logout.ts';
import { noticeRows } from './steps/notices.ts';
import { passwordChangeRows } from './steps/password-change.ts';
import { secondFactorRows } from './steps/second-factor.ts';
import { selectSiteRows } from './steps/select-site.ts';
import { siteEntryRows } from './steps/site-entry.ts';
import { timerRows } from './steps/timers.ts';
import { notificationTimers, settledMargin, stay } from './transition.ts';
import type { Row, Transition } from './transition.ts';

/** A row whose event has been checked against `on`: the table holds rows of every event. */
type AnyRow = { [TType in EventType]: Row<TType> }[EventType];

/** The whole flow: what each event leads to, wherever the visitor stands. */
export const table: readonly AnyRow[] = [
  ...initialisationRows,
  ...siteEntryRows,
  ...credentialsRows,
  ...answerRows,
  ...secondFactorRows,
  ...passwordChangeRows,
  ...selectSiteRows,
  ...logoutRows,
  ...noticeRows,
  ...timerRows,
];

/** The row that an event meets on the page where it is seen, if any: an event that no row expects changes nothing. */
export function findRow(state: FlowState, event: FlowEvent): AnyRow | undefined {
  return table.find(
    (row) => row.on === event.type && (row.from === 'any' || row.from.includes(state.page ?? 'start')),
  );
}

function act<TType extends EventType>(row: Row<TType>, state: FlowState, event: FlowEvent): Transition {
  return isEventOf(row, event) ? row.act(state, event) : stay(state);
}

function isEventOf<TType extends EventType>(
  row: Row<TType>,
  event: FlowEvent,
): event is Extract<FlowEvent, { type: TType }> {
  return row.on === event.type;
}

/** What happens next. Pure: no clock, no network, no log. */
export function transition(state: FlowState, event: FlowEvent): Transition {
  const row = findRow(state, event);
  if (!row) return stay(state);
  const { state: acted, effects } = act<EventType>(row as Row, state, event);
  const after = settledMargin(state, acted);
  return { state: after, effects: [...effects, ...notificationTimers(state, after)] };
}
