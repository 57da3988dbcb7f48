import type { Call, CallAnswerOf, CallInputOf, calls } from '@anteroom/contract';
import type { Exchange } from './exchange.ts';

/** A handler for each call of a table; a missing handler or one of the wrong type does not compile. */
export type Handlers<TCalls extends Readonly<Record<string, Call>>> = {
  [Name in keyof TCalls]: (
    input: CallInputOf<TCalls[Name]>,
    exchange: Exchange,
  ) => Promise<CallAnswerOf<TCalls[Name]>>;
};

/** The handlers of all calls of the contract. */
export type Implementation = Handlers<typeof calls>;

export type CallHandler<Name extends keyof Implementation> = Implementation[Name];
