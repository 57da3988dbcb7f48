import type * as v from 'valibot';

type AnySchema = v.GenericSchema<unknown, unknown>;

/**
 * One call of the specification's point 7.
 *
 * `kind` says what a success carries: a JSON body, nothing (204), text, a redirect for a browser's navigation, or an XML document.
 * Requests are strict objects (an unknown member is refused), answers plain ones (an unknown member is passed over).
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
}

/** Keeps the exact type of a call while holding it to the shape of one. */
export function defineCall<const TCall extends Call>(call: TCall): TCall {
  return call;
}

type Output<TSchema> = TSchema extends AnySchema ? v.InferOutput<TSchema> : undefined;

/** What a handler of the call receives, parsed: path parameters, query and body. */
export interface CallInputOf<TCall extends Call> {
  params: Output<TCall['params']>;
  query: Output<TCall['query']>;
  body: Output<TCall['body']>;
}

/** What a service answers: JSON as the schema reads it, the address of a redirect, a text, or nothing. */
export type CallAnswerOf<TCall extends Call> = TCall['answer'] extends AnySchema
  ? v.InferInput<TCall['answer']>
  : TCall['kind'] extends 'redirect'
    ? { location: string }
    : TCall['kind'] extends 'text' | 'xml'
      ? string
      : undefined;

/** What a caller has after parsing an answer: null is undefined, enumerations are in lower case. */
export type ParsedAnswerOf<TCall extends Call> = Output<TCall['answer']>;
