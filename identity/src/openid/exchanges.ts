import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../http/exchange.ts';

/** The provider hands its callbacks Node's request; this finds our own view of the same request again. */
export type Exchanges = {
  set: (request: IncomingMessage, exchange: Exchange) => void;
  /** @throws when the provider was reached by another way than our routes. */
  require: (request: IncomingMessage) => Exchange;
};

export function createExchanges(): Exchanges {
  const known = new WeakMap<IncomingMessage, Exchange>();
  return {
    set: (request, exchange) => void known.set(request, exchange),
    require: (request) => {
      const exchange = known.get(request);
      if (exchange === undefined) throw new Error('A request reached the provider past its routes');
      return exchange;
    },
  };
}
