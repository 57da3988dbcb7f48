import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isExternalAccessTheme } from '../../flow/context.ts';
import type { FlowState, Page } from '../../flow/model.ts';
import { mayShowTodos } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { Card } from '../../ui/card/Card.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { hasH1Logo, workingMessages } from '../page-facts.ts';
import { prefetchFollowers, useScreen } from '../screens.tsx';
import { Banner } from './Banner.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';
import { FrameFooter } from './FrameFooter.tsx';
import { HeaderLinks } from './HeaderLinks.tsx';
import { Notifications } from './Notifications.tsx';
import { siteHeaderPart } from '../site-header-part.ts';
import { StepEntrance } from '../StepEntrance.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/** What stands around every screen: notifications, the card with its header and footer, title, focus and the live region. */
export function Frame(): ReactNode {
  const { t } = useLanguage();
  const { SiteHeader } = siteHeaderPart;
  // boot draws nothing before there is a page
  const page = useFlow((state) => state.page ?? 'error');
  const isLoading = useFlow((state) => state.loading);
  const isExternal = useFlow(isExternalAccessTheme);
  const isWide = useFlow((state) => state.page === 'select-site' && mayShowTodos(state));
  const isFlat = useFlow((state) => state.context?.loginFlowCustomizations?.nestedUIEliminated ?? false);
  const hasErrorMargin = useFlow((state) => state.cardMargin);
  const working = useFlow(workingMessage);
  useDocumentTitle(`titles.${page}`);
  useKeptFocus();
  usePrefetching(page, isLoading);

  return (
    <>
      <Notifications />
      <Card
        step={page}
        isLoading={isLoading}
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
          {SiteHeader && <SiteHeader page={page} />}
          <Screen page={page} />
        </CrashBoundary>
      </Card>
      <LiveRegion isAssertive message={working && t(working)} />
    </>
  );
}

function Screen({ page }: { page: Page }): ReactNode {
  const send = useSend();
  const CurrentScreen = useScreen(page);
  const hasFailed = CurrentScreen === 'failed';
  useEffect(() => {
    if (hasFailed) send({ type: 'CRASHED' });
  }, [hasFailed, send]);
  if (CurrentScreen === undefined || CurrentScreen === 'failed') return null;
  return (
    <StepEntrance>
      {/* oxlint-disable-next-line react/static-components -- it comes from a table of components, made once each */}
      <CurrentScreen />
    </StepEntrance>
  );
}

/** What readers hear while something is under way. */
function workingMessage({ loading, leavingTo, page }: FlowState): MessageKey | undefined {
  if (!loading || page === undefined) return undefined;
  return leavingTo === undefined ? workingMessages[page] : 'common.leaving';
}

/** Fetches what may come next while the visitor is busy with this page, and at the latest when it is sent. */
function usePrefetching(page: Page, isLoading: boolean): void {
  useEffect(() => {
    const prefetch = (): void => prefetchFollowers(page);
    if (isLoading) return prefetch();
    const signsOfWork = ['input', 'keydown', 'pointerdown'] as const;
    for (const sign of signsOfWork) document.addEventListener(sign, prefetch, { once: true });
    return () => {
      for (const sign of signsOfWork) document.removeEventListener(sign, prefetch);
    };
  }, [page, isLoading]);
}
