import type { Context } from 'koa';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import type { Exchanges } from './exchanges.ts';

const errorPage = '/ui/home/error';

/**
 * A failure that cannot be told to the application (its address is not to be trusted, or there is none) is told to the
 * person on our error page. The record holds the protocol's own words and nothing that somebody typed.
 */
export function createFailurePage(services: Services, exchanges: Exchanges) {
  return async (ctx: KoaContextWithOIDC, out: ErrorOut): Promise<void> => {
    await showFailure(services, ctx, out, exchanges.require(ctx.req));
  };
}

/** Stores what went wrong and sends the browser to the page that shows it. */
export async function showFailure(
  { errorRecords }: Pick<Services, 'errorRecords'>,
  ctx: Pick<Context, 'status' | 'redirect'>,
  failure: { error: string; error_description?: string | undefined },
  exchange: Exchange,
): Promise<void> {
  const errorId = await errorRecords.store(
    { error: failure.error, description: failure.error_description },
    exchange,
  );
  ctx.status = 303;
  ctx.redirect(`${errorPage}?${new URLSearchParams({ errorId }).toString()}`);
}
