import type { Extension } from '@anteroom/contract';
import type { Exchange } from './exchange.ts';

/** Whether the calling page supports the extension (wire contract, "Optional members"); otherwise nothing is offered that requires it. */
export function knowsExtension({ raw }: Pick<Exchange, 'raw'>, extension: Extension): boolean {
  const named = raw.request.headers['x-anteroom-extensions'] ?? '';
  return String(named)
    .split(',')
    .some((name) => name.trim() === extension);
}
