import { call } from './effects.ts';
import type { Effect } from './effects.ts';
import type { EventOf, EventType, Failure } from './events.ts';
import type { Banner, ErrorReason, FlowState, FormErrorKind, Notification, Page, Step } from './model.ts';
import { steps } from './model.ts';
import {
  cardMarginDefaultDurationMs,
  notificationDefaultDurationMs,
  notificationMaximumDurationMs,
} from './constants.ts';

/** The result of an event: the next state and the effects to run. */
export interface Transition {
  state: FlowState;
  effects: readonly Effect[];
}

/**
 * One row of the table: `on` this event, on the pages of `from` ('any': everywhere), the flow ends on a page of `to`
 * ('same': stays). `docs/flow.md` is generated from these rows, and a test checks every transition against them.
 */
export interface Row<TType extends EventType = EventType> {
  on: TType;
  from: readonly (Page | 'start')[] | 'any';
  to: readonly (Page | 'same')[];
  act: (state: FlowState, event: EventOf<TType>) => Transition;
}

/** Infers the event type of `on` for `act`. */
export function row<const TType extends EventType>(definition: Row<TType>): Row<TType> {
  return definition;
}

export function stay(state: FlowState, ...effects: Effect[]): Transition {
  return { state, effects };
}

export function isStep(page: Page | undefined): page is Step {
  return steps.some((step) => step === page);
}

/**
 * Ends the initialisation on a page. A step is added to the wizard's history, and the errors of the previous step are
 * cleared.
 */
export function goTo(state: FlowState, page: Page, ...effects: Effect[]): Transition {
  const history = isStep(page) && state.history.at(-1) !== page ? [...state.history, page] : state.history;
  const leavesSites = state.page === 'select-site' && page !== 'select-site';
  return {
    state: {
      ...initialised(state),
      page,
      history,
      loading: false,
      error: state.page === page ? state.error : undefined,
    },
    effects: leavesSites ? [{ type: 'stop-todos' }, ...effects] : effects,
  };
}

/** Ends the initialisation and shows the notices that were stored until then. */
function initialised(state: FlowState): FlowState {
  if (state.initialisation === 'INITIALIZED') return state;
  const shown = state.postInitialisationNotifications.reduce(
    (before, notice) => noted(before, notice),
    state,
  );
  return { ...shown, initialisation: 'INITIALIZED', postInitialisationNotifications: [] };
}

/**
 * Texts about the whole sign-in: an ended session, an expired code, too many attempts, no connection. A generic failure
 * has no message in the form.
 */
const stepWideKey = /^(mfa|error(?!\.unexpected))\./;

function noted(before: FlowState, notice: Banner): FlowState {
  const isStepWide = stepWideKey.test(notice.messageKey ?? '');
  const state: FlowState = isStepWide ? { ...before, banner: notice } : before;
  const same = state.notifications.find(
    (one) =>
      one.level === notice.level &&
      one.messageKey === notice.messageKey &&
      one.description === notice.description,
  );
  const durationMs = Math.min(Math.max(notice.durationMs, 0), notificationMaximumDurationMs);
  // A permanent notification replaces a timed one with the same text.
  if (same && (durationMs || !same.durationMs)) return state;
  const id = state.notificationsSeen + 1;
  return {
    ...state,
    notificationsSeen: id,
    notifications: [...state.notifications.filter((one) => one !== same), { ...notice, id, durationMs }],
    cardMargin: state.cardMargin || notice.level === 'error',
  };
}

type Notice = Omit<Notification, 'id' | 'durationMs'> & { durationMs?: number };

/** Shows a notification, for the default duration unless the notice has its own. */
export function notify(state: FlowState, notice: Notice): FlowState {
  return noted(state, { durationMs: notificationDefaultDurationMs, ...notice });
}

export function withoutNotification(state: FlowState, id: number): FlowState {
  return { ...state, notifications: state.notifications.filter((notification) => notification.id !== id) };
}

/** Removes the notification and the banner with a text that is no longer true. */
export function withoutNotice(state: FlowState, messageKey: string): FlowState {
  return {
    ...state,
    banner: state.banner?.messageKey === messageKey ? undefined : state.banner,
    notifications: state.notifications.filter((one) => one.messageKey !== messageKey),
  };
}

/** Handles an action of the visitor: clears pending notices (specification, point 4), and forgets an earlier 401. */
export function onAction(state: FlowState): FlowState {
  return {
    ...state,
    notifications: [],
    postInitialisationNotifications: [],
    banner: undefined,
    unauthorisedSinceAction: false,
  };
}

/** The visitor leaves a step: starts a new run, so that late answers to the step are dropped. */
export function leavingStep(state: FlowState): FlowState {
  return { ...onAction(state), run: state.run + 1, loading: false, leavingTo: undefined };
}

/** Starts a submission: sets loading and clears the previous error. */
export function submitting(state: FlowState): FlowState {
  return { ...onAction(state), loading: true, error: undefined };
}

export function withError(
  state: FlowState,
  kind: FormErrorKind,
  { description, policyLine }: Pick<Failure, 'description' | 'policyLine'> = {},
): FlowState {
  const occurrence = state.errorsSeen + 1;
  const error = { kind, description, policyLine, occurrence };
  return { ...state, loading: false, errorsSeen: occurrence, error };
}

/** Shows the error page; requests the error record if there is an id. */
export function showError(
  state: FlowState,
  { errorId, reason }: { errorId?: string | undefined; reason?: ErrorReason | undefined } = {},
): Transition {
  return goTo(
    {
      ...state,
      leavingTo: undefined,
      errorPage: { errorId, reason, record: undefined, loading: errorId !== undefined },
    },
    'error',
    ...(errorId === undefined
      ? []
      : [
          call(
            'getErrorMessage',
            { query: { errorId } },
            (record) => ({ type: 'ERROR_RECORD_LOADED', record }),
            { failed: () => ({ type: 'ERROR_RECORD_LOADED', record: undefined }) },
          ),
        ]),
  );
}

/**
 * The card's margin after a transition. It ends after its time, or when a submission has settled without an error
 * notification. Visitor actions do not end it, so that the card does not move under the pointer.
 */
export function settledMargin(before: FlowState, after: FlowState): FlowState {
  const hasSettled = before.loading && !after.loading;
  const isMarginOver = hasSettled && after.notifications.every(({ level }) => level !== 'error');
  return isMarginOver && after.cardMargin ? { ...after, cardMargin: false } : after;
}

/** The timers for newly shown notifications; the machine adds them after every transition. */
export function notificationTimers(before: FlowState, after: FlowState): Effect[] {
  const effects: Effect[] = [];
  for (const { id, level, durationMs } of after.notifications) {
    if (before.notifications.some((notification) => notification.id === id)) continue;
    if (durationMs > 0) effects.push({ type: 'start-timer', timer: `notification-${id}`, ms: durationMs });
    if (level === 'error')
      effects.push({
        type: 'start-timer',
        timer: 'card-margin',
        ms: durationMs || cardMarginDefaultDurationMs,
      });
  }
  for (const { id } of before.notifications) {
    if (after.notifications.some((notification) => notification.id === id)) continue;
    effects.push({ type: 'stop-timer', timer: `notification-${id}` });
  }
  if (before.cardMargin && !after.cardMargin) effects.push({ type: 'stop-timer', timer: 'card-margin' });
  return effects;
}

/** A failure that belongs to no form: signed out, unreachable, or the error page. */
export function failWithoutForm(
  state: FlowState,
  failure: Failure,
  restart: (state: FlowState) => Transition,
): Transition {
  if (failure.kind === 'unreachable')
    return stay(
      notify({ ...state, loading: false }, { level: 'error', messageKey: 'error.serverUnreachable' }),
    );
  if (failure.kind === 'unauthorised' && !state.unauthorisedSinceAction) {
    const notified = notify(
      { ...state, unauthorisedSinceAction: true },
      { level: 'info', messageKey: 'error.unauthorized', durationMs: 0 },
    );
    return restart(notified);
  }
  // The anti-forgery cookie is one of the cookies that a sign-in needs.
  return showError(state, { reason: failure.code === 'csrf_failed' ? 'cookies' : undefined });
}
