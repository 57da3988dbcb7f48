import type { EventType, FlowEvent } from './events.ts';
import type { FlowState } from './model.ts';
import { answerRows } from './steps/answers.ts';
import { credentialsRows } from './steps/credentials.ts';
import { initialisationRows } from './steps/initialisation.ts';
import { logoutRows } from './steps/logout.ts';
import { noticeRows, timerRows } from './steps/notices.ts';
import { passwordChangeRows } from './steps/password-change.ts';
import { secondFactorRows } from './steps/second-factor.ts';
import { selectSiteRows } from './steps/select-site.ts';
import { siteEntryRows } from './steps/site-entry.ts';
import { notificationTimers, settledMargin, stay } from './transition.ts';
import type { Row, Transition } from './transition.ts';

/** A row for any event type. `findRow` compares the event's type with `on`. */
type AnyRow = { [TType in EventType]: Row<TType> }[EventType];

/** The transition table of the whole flow. */
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

/** The first row for an event on the current page. An event without a row changes nothing. */
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

/** Computes the next state. A pure function: no clock, no network, no log. */
export function transition(state: FlowState, event: FlowEvent): Transition {
  const row = findRow(state, event);
  if (!row) return stay(state);
  const { state: acted, effects } = act<EventType>(row as Row, state, event);
  const after = settledMargin(state, acted);
  return { state: after, effects: [...effects, ...notificationTimers(state, after)] };
}
