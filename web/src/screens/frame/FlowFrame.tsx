import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isExternalAccessTheme } from '../../flow/context.ts';
import type { FlowState, Page } from '../../flow/model.ts';
import { mayShowTodos } from '../../flow/steps/select-site.ts';
import { isStep } from '../../flow/transition.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { StepBanner } from '../../ui/alert/Alert.tsx';
import { brand } from '../../ui/brand.ts';
import { Card } from '../../ui/card/Card.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { useFlow, useFlowSubscription, useSend } from '../flow-context.tsx';
import { findScreen, prefetchFollowers } from '../screens.tsx';
import { StepEntrance, focusStep } from '../StepEntrance.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';
import { FrameFooter } from './FrameFooter.tsx';
import { HeaderLinks } from './HeaderLinks.tsx';
import { Notifications } from './Notifications.tsx';

/** The frame of every screen: notifications, card with header and footer, title, focus and live region. */
export function FlowFrame(): ReactNode {
  const { t } = useLanguage();
  // The application is rendered only once the flow has a page; the default only satisfies the type.
  const page = useFlow((state) => state.page ?? 'error');
  const isLoading = useFlow((state) => state.loading);
  const isLeaving = useFlow((state) => state.leavingTo !== undefined);
  const isExternal = useFlow(isExternalAccessTheme);
  const isWide = useFlow((state) => state.page === 'select-site' && mayShowTodos(state));
  const isFlat = useFlow((state) => state.context?.loginFlowCustomizations?.nestedUIEliminated ?? false);
  const hasErrorMargin = useFlow((state) => state.cardMargin);
  const working = useFlow(workingMessage);
  useDocumentTitle(useFlow(titleOf));
  useKeptFocus();
  usePrefetching(page, isLoading);

  return (
    <>
      <Notifications />
      <Card
        step={page}
        isLoading={isLoading}
        isLeaving={isLeaving}
        hasH1Logo={hasH1Logo(page)}
        header={<HeaderLinks page={page} />}
        footer={<FrameFooter />}
        theme={isExternal ? 'external-access' : 'default'}
        isWide={isWide}
        isFlat={isFlat}
        hasErrorMargin={hasErrorMargin}
      >
        <Banner />
        <CrashBoundary key={page}>
          <Screen page={page} />
        </CrashBoundary>
      </Card>
      <LiveRegion isAssertive message={working && t(working)} />
    </>
  );
}

function Screen({ page }: { page: Page }): ReactNode {
  const send = useSend();
  const CurrentScreen = findScreen(page);
  const hasFailed = CurrentScreen === 'failed';
  useEffect(() => {
    if (hasFailed) send({ type: 'CRASHED' });
  }, [hasFailed, send]);
  if (CurrentScreen === undefined || CurrentScreen === 'failed') return null;
  return (
    <StepEntrance>
      {/* oxlint-disable-next-line react/static-components -- from a table of static components */}
      <CurrentScreen />
    </StepEntrance>
  );
}

/** The announcement while a call is in flight. */
function workingMessage({ loading, leavingTo, page }: FlowState): MessageKey | undefined {
  if (!loading || page === undefined) return undefined;
  return leavingTo === undefined ? workingMessages[page] : 'common.leaving';
}

/** The screen and what the visitor does first, such as the to-dos of a site list, load before the next screens. */
const prefetchDelayMs = 1000;

/**
 * Prefetches the next screens while the visitor uses this page, at the latest when it is submitted. A press is no sign: it
 * may be the submission, whose call would then wait for these files.
 */
function usePrefetching(page: Page, isLoading: boolean): void {
  useEffect(() => {
    if (isLoading) return prefetchFollowers(page, true);
    let timer: number | undefined;
    const prefetchSoon = (): void => {
      timer ??= window.setTimeout(prefetchFollowers, prefetchDelayMs, page);
    };
    const signsOfWork = ['input', 'keydown', 'pointermove'] as const;
    for (const sign of signsOfWork) document.addEventListener(sign, prefetchSoon, { once: true });
    return () => {
      clearTimeout(timer);
      for (const sign of signsOfWork) document.removeEventListener(sign, prefetchSoon);
    };
  }, [page, isLoading]);
}

/**
 * A message about the whole step, such as an ended session or a lost connection. It takes the place of its notification
 * and of the card's margin when both are gone, and is not announced, because the notification was.
 */
function Banner(): ReactNode {
  const { find } = useLanguage();
  const banner = useFlow((state) => (isStep(state.page) ? state.banner : undefined));
  const isHeld = useFlow(
    ({ cardMargin, notifications }) =>
      cardMargin || notifications.some(({ messageKey }) => messageKey === banner?.messageKey),
  );
  return (
    <StepBanner
      message={banner && find(banner.messageKey ?? '', banner.messageParameters)}
      level={banner?.level ?? 'info'}
      isHeld={isHeld}
    />
  );
}

/** The title of a page is the text `titles.<page>`; an error page with a known reason has its heading as the title. */
function titleOf({ page = 'error', errorPage: { reason } }: FlowState): MessageKey {
  return page === 'error' && reason !== undefined ? `error.${reason}.heading` : `titles.${page}`;
}

/** Sets the document title in the current language. */
function useDocumentTitle(title: MessageKey): void {
  const { t } = useLanguage();
  const text = t('titles.document', { title: t(title), product: brand.productName });
  useEffect(() => {
    document.title = text;
  }, [text]);
}

/**
 * Moves the focus back into the step when the focused element has been removed (a dismissed notification, a link
 * replaced by a countdown). Otherwise keyboard users would start again at the top of the page.
 */
function useKeptFocus(): void {
  const subscribe = useFlowSubscription();
  useEffect(() => {
    let lastFocused: EventTarget | null = null;
    const remember = (event: FocusEvent): void => {
      lastFocused = event.target;
    };
    const bringBack = (): void => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && lastFocused instanceof Element && !lastFocused.isConnected)
        focusStep(document.querySelector('main'));
    };
    document.addEventListener('focusin', remember);
    // Waits until React has rendered the change.
    const unsubscribe = subscribe(() => requestAnimationFrame(bringBack));
    return () => {
      document.removeEventListener('focusin', remember);
      unsubscribe();
    };
  }, [subscribe]);
}

// What the frame needs to know about a page (the specification's "route data").

/**
 * Whether the logo is the first heading and the step's heading the second. False for the page that is part of an
 * application.
 */
function hasH1Logo(page: Page): boolean {
  return page !== 'password-reset-voluntary';
}

/** What screen readers announce while a submission of the page is in flight. */
const workingMessages: Readonly<Partial<Record<Page, MessageKey>>> = {
  'site-entry': 'site.checking',
  credentials: 'login.signingIn',
  elevate: 'common.working',
  'password-required': 'common.working',
  'second-factor-required': 'secondFactor.verifying',
  'password-reset-required': 'passwordChange.changing',
  'password-reset-voluntary': 'passwordChange.changing',
  'select-site': 'common.working',
  logout: 'logout.signingOut',
};
