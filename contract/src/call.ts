import type * as v from 'valibot';

type AnySchema = v.GenericSchema<unknown, unknown>;

/**
 * The definition of a call (specification, point 7).
 *
 * `kind` is the kind of a successful response: a JSON body, nothing (204), text, a redirect of a browser navigation, or
 * an XML document. Requests are strict objects (unknown members are rejected), answers are plain objects (unknown
 * members are ignored).
 */
export interface Call {
  readonly method: 'GET' | 'POST';
  /** Path parameters are written `:name` and appear in `params`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly kind: 'json' | 'empty' | 'text' | 'redirect' | 'xml';
  readonly params?: AnySchema;
  readonly query?: AnySchema;
  readonly body?: AnySchema;
  readonly answer?: AnySchema;
  /** A read that can be retried (wire contract, "Decisions"). */
  readonly repeatable?: true;
  /** Always sent to the page's own origin. */
  readonly ownOrigin?: true;
  /** The page makes the call without a user action, so the call must not extend the session. */
  readonly background?: true;
  /** The browser completes the request even if the visitor leaves the page. */
  readonly keepalive?: true;
  /**
   * The service hashes a password for this call: `checked` if it verifies an existing password, which allows guessing;
   * `new` if it only sets one.
   */
  readonly password?: 'checked' | 'new';
}

/** Checks the type of a call and keeps its literal types. */
export function defineCall<const TCall extends Call>(call: TCall): TCall {
  return call;
}

type Output<TSchema> = TSchema extends AnySchema ? v.InferOutput<TSchema> : undefined;

/** The parsed input of a handler: path parameters, query and body. */
export interface CallInputOf<TCall extends Call> {
  params: Output<TCall['params']>;
  query: Output<TCall['query']>;
  body: Output<TCall['body']>;
}

/** The return value of a handler: JSON before parsing, the location of a redirect, a text, or nothing. */
export type CallAnswerOf<TCall extends Call> = TCall['answer'] extends AnySchema
  ? v.InferInput<TCall['answer']>
  : TCall['kind'] extends 'redirect'
    ? { location: string }
    : TCall['kind'] extends 'text' | 'xml'
      ? string
      : undefined;

/** The answer as a caller gets it after parsing: null becomes undefined, enumerations are in lower case. */
export type ParsedAnswerOf<TCall extends Call> = Output<TCall['answer']>;
