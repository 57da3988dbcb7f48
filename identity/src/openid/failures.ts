import type { Context } from 'koa';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { Exchange } from '../http/exchange.ts';
import { paths } from '../http/page-addresses.ts';
import type { Services } from '../services.ts';
import type { Exchanges } from './exchanges.ts';

/**
 * Shows an error page to the user if the error cannot be returned to the application, because its redirect URI is
 * missing or not trusted. The record contains only protocol error codes and descriptions, never user input.
 */
export function createFailurePage(services: Services, exchanges: Exchanges) {
  return async (ctx: KoaContextWithOIDC, out: ErrorOut): Promise<void> => {
    await showFailure(services, ctx, out, exchanges.require(ctx.req));
  };
}

/** Stores the error and redirects the browser to the page that shows it. */
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
  ctx.redirect(`${paths.error}?${new URLSearchParams({ errorId }).toString()}`);
}
