import { useNavigate, useLocation } from 'react-router';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import type { Operation } from '../../identity/src/admin/permissions.ts';
import { useProof } from './proof.ts';

const parameter = 'do';

function without(url: URL): string {
  const copy = new URL(url);
  copy.searchParams.delete(parameter);
  return copy.href;
}

/** Opening a panel reads nothing again. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const onlyOpens = currentUrl.href !== nextUrl.href && without(currentUrl) === without(nextUrl);
  return defaultShouldRevalidate && !onlyOpens;
}

/**
 * The panel that is open, which stands in the address: it is still open after the sign-in page has asked for a proof.
 * The address never starts the action itself.
 */
export function useDoing() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isReady = useProof();
  const query = new URLSearchParams(search);
  const doing = query.get(parameter) ?? undefined;

  function show(name: string | undefined): string {
    const next = new URLSearchParams(query);
    if (name === undefined) next.delete(parameter);
    else next.set(parameter, name);
    return `${pathname}?${next.toString()}`.replace(/\?$/, '');
  }

  const go = (address: string): void => void navigate(address, { replace: true, preventScrollReset: true });
  return {
    doing,
    open: (name: string, operation: Operation): void => {
      if (isReady(operation, show(name))) go(show(name));
    },
    /** Closes the panel; the focus returns to the button that opened it. */
    close: (): void => {
      const opener = document.querySelector<HTMLElement>(`[data-opens="${CSS.escape(doing ?? '')}"]`);
      opener?.focus();
      go(show(undefined));
    },
  };
}
