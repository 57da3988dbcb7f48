import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../http/exchange.ts';

/** Maps the Node request that the provider passes to its callbacks to the exchange object of the service. */
export type ExchangesByRequest = {
  set: (request: IncomingMessage, exchange: Exchange) => void;
  /** @throws if the request did not come through our routes */
  require: (request: IncomingMessage) => Exchange;
};

export function createExchangesByRequest(): ExchangesByRequest {
  const known = new WeakMap<IncomingMessage, Exchange>();
  return {
    set: (request, exchange) => void known.set(request, exchange),
    require: (request) => {
      const exchange = known.get(request);
      if (exchange === undefined)
        throw new Error('A request reached the provider without going through its routes');
      return exchange;
    },
  };
}
