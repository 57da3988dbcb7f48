import type { Extension } from '@anteroom/contract';
import type { Exchange } from './exchange.ts';

/** Whether the page of this call names the extension (wire contract, "Optional members"): without it nothing is offered that needs it. */
export function knowsExtension({ raw }: Pick<Exchange, 'raw'>, extension: Extension): boolean {
  const named = raw.request.headers['x-anteroom-extensions'] ?? '';
  return String(named)
    .split(',')
    .some((name) => name.trim() === extension);
}
