import { errorCatalogue } from '@anteroom/contract';
import type { ErrorCode, Locale } from '@anteroom/contract';
import type { ScriptedAnswer, ScriptedInput, ScriptedName } from './scripted-calls.ts';

/** A text of the service, possibly in the language of the page. */
type Description = string | ((language: Locale) => string);

/** The scripted reply to a call: a response, an error, or something broken on purpose. */
export interface AnyReply {
  answer?: unknown;
  error?: { code: ErrorCode; description?: Description; policyLine?: string; status?: number };
  /** The value of the header `Retry-After`, in whole seconds. */
  retryAfterSeconds?: number;
  /** Closes the connection without a response. */
  isCut?: boolean;
  /** Sends the status, the headers and half of the body. */
  isCutHalfway?: boolean;
  /** A body that is sent unchanged, to violate the contract on purpose. */
  rawBody?: string;
  /** The status of a raw body; default: 200. */
  rawStatus?: number;
  /** The response waits for this promise (see `hold`). */
  after?: Promise<void>;
}

/** A reply that complies with the contract. */
export interface Reply<Name extends ScriptedName> extends AnyReply {
  answer?: ScriptedAnswer<Name>;
}

export type Responder<Name extends ScriptedName> = (input: ScriptedInput<Name>) => Reply<Name>;

export type Responders = { [Name in ScriptedName]?: Responder<Name> };

/** Sets the replies of the service, call by call. */
export interface Script {
  /** The call succeeds with this response, or with the function's result for its input. */
  answer: <Name extends ScriptedName>(
    name: Name,
    answer: ScriptedAnswer<Name> | ((input: ScriptedInput<Name>) => ScriptedAnswer<Name>),
    around?: { retryAfterSeconds?: number },
  ) => void;
  /** The call succeeds or fails with the function's result for its input. */
  reply: <Name extends ScriptedName>(name: Name, responder: Responder<Name>) => void;
  /**
   * The call fails with an error code and its status, or the given status. With `times` it fails that often, then
   * replies as before.
   */
  fail: (
    name: ScriptedName,
    code: ErrorCode,
    around?: {
      description?: Description;
      policyLine?: string;
      status?: number;
      retryAfterSeconds?: number;
      times?: number;
    },
  ) => void;
  /** Closes the connection before any response. */
  cut: (name: ScriptedName) => void;
  /** Closes the connection in the middle of a response. */
  cutHalfway: (name: ScriptedName) => void;
  /** The call returns a body that violates the contract, with status 200 by default. */
  garble: (name: ScriptedName, rawBody: string, rawStatus?: number) => void;
  /** Delays the current reply until the returned function is called. */
  hold: (name: ScriptedName) => () => void;
}

/** The default `Retry-After` of the codes that must have one, in seconds (wire contract, "Errors"). */
const waits: { readonly [Code in ErrorCode]?: number } = { rate_limit_reached: 60, overloaded: 5 };

/** Creates a script that writes to a table of responders. The last responder set for a call applies. */
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

/** Fails for the first calls and then uses the previous responder. */
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

/** The status of an error: that of the catalogue, unless the script sets another. */
export function statusOf(error: { code: ErrorCode; status?: number }): number {
  return error.status ?? errorCatalogue[error.code].status;
}
