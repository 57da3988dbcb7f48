import { errorCatalogue } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';
import type { ScriptedAnswer, ScriptedInput, ScriptedName } from './scripted-calls.ts';

/** What goes over the wire for one call: an answer, a failure, or something broken on purpose. */
export interface AnyReply {
  answer?: unknown;
  error?: { code: ErrorCode; description?: string; policyLine?: string; status?: number };
  /** Whole seconds, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** The connection is cut: the front end sees no answer at all. */
  isCut?: boolean;
  /** The status and the headers arrive, and half of what follows. */
  isCutHalfway?: boolean;
  /** Sent as it is, for answers that break the contract on purpose. */
  rawBody?: string;
  /** The status of a raw body; 200 unless given. */
  rawStatus?: number;
  /** The answer waits until this resolves: see `hold`. */
  after?: Promise<void>;
}

/** A reply whose answer is the contract's. */
export interface Reply<Name extends ScriptedName> extends AnyReply {
  answer?: ScriptedAnswer<Name>;
}

export type Responder<Name extends ScriptedName> = (input: ScriptedInput<Name>) => Reply<Name>;

export type Responders = { [Name in ScriptedName]?: Responder<Name> };

/** What the service says from now on, call by call. */
export interface Script {
  /** The call succeeds with this, or with what the function makes of its input. */
  answer: <Name extends ScriptedName>(
    name: Name,
    answer: ScriptedAnswer<Name> | ((input: ScriptedInput<Name>) => ScriptedAnswer<Name>),
    around?: { retryAfterSeconds?: number },
  ) => void;
  /** The call is answered, or fails, by what the function makes of its input. */
  reply: <Name extends ScriptedName>(name: Name, responder: Responder<Name>) => void;
  /**
   * The call fails with a code of the catalogue and the status that belongs to it, unless another is given. With `times` it fails so often
   * and then answers as it did before.
   */
  fail: (
    name: ScriptedName,
    code: ErrorCode,
    around?: {
      description?: string;
      policyLine?: string;
      status?: number;
      retryAfterSeconds?: number;
      times?: number;
    },
  ) => void;
  /** The connection is cut before any answer. */
  cut: (name: ScriptedName) => void;
  /** The connection is cut in the middle of an answer. */
  cutHalfway: (name: ScriptedName) => void;
  /** The call is answered with a body that nobody can read as the contract's, with status 200 unless another is given. */
  garble: (name: ScriptedName, rawBody: string, rawStatus?: number) => void;
  /** The call as it is scripted now, held back until the returned function is called. */
  hold: (name: ScriptedName) => () => void;
}

/** These never come without `Retry-After` (wire contract, "Errors"). */
const waits: { readonly [Code in ErrorCode]?: number } = { rate_limit_reached: 60, overloaded: 5 };

/** Writes into a table of responders; the last word on a call counts. */
export function createScript(responders: Responders): Script {
  const set = <Name extends ScriptedName>(name: Name, responder: Responder<Name>): void => {
    const table: { [Key in Name]?: Responder<Key> } = responders;
    table[name] = responder;
  };
  return {
    answer: (name, answer, around = {}) =>
      set(name, (input) => ({ ...around, answer: isFunction(answer) ? answer(input) : answer })),
    reply: set,
    fail: (name, code, { retryAfterSeconds = waits[code], times, ...error } = {}) =>
      set(
        name,
        failFirst(times ?? Infinity, responders[name], {
          error: { code, ...error },
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        }),
      ),
    cut: (name) => set(name, () => ({ isCut: true })),
    cutHalfway: (name) => set(name, () => ({ isCutHalfway: true })),
    garble: (name, rawBody, rawStatus = 200) => set(name, () => ({ rawBody, rawStatus })),
    hold: (name) => holdBack(responders, name),
  };
}

/** A failure for the first calls, and what was scripted before for those that follow. */
function failFirst<Name extends ScriptedName>(
  times: number,
  before: Responder<Name> | undefined,
  failure: Reply<Name>,
): Responder<Name> {
  let left = times;
  return (input) => (left-- > 0 ? failure : (before?.(input) ?? failure));
}

function isFunction<Input, Output>(
  value: Output | ((input: Input) => Output),
): value is (input: Input) => Output {
  return typeof value === 'function';
}

function holdBack<Name extends ScriptedName>(responders: Responders, name: Name): () => void {
  const table: { [Key in Name]?: Responder<Key> } = responders;
  const scripted = table[name];
  if (!scripted) throw new Error(`${name} has no scripted answer to hold back.`);
  const gate = Promise.withResolvers<void>();
  table[name] = (input) => ({ ...scripted(input), after: gate.promise });
  return () => {
    table[name] = scripted;
    gate.resolve();
  };
}

/** The status of a failure: its own in the catalogue, unless the script says otherwise. */
export function statusOf(error: { code: ErrorCode; status?: number }): number {
  return error.status ?? errorCatalogue[error.code].status;
}
