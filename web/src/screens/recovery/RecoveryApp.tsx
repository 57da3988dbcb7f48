import type { ReactNode } from 'react';
import type { RecoveryPage } from '../../paths.ts';
import { ForgottenPasswordScreen } from './ForgottenPasswordScreen.tsx';
import { ForgottenSiteScreen } from './ForgottenSiteScreen.tsx';
import { NewPasswordScreen } from './NewPasswordScreen.tsx';
import { NotMeScreen } from './NotMeScreen.tsx';
import { RecoveryVisitContext } from './recovery-visit.ts';
import type { RecoveryVisit } from './recovery-visit.ts';

const screens = {
  'forgotten-password': ForgottenPasswordScreen,
  'forgotten-site': ForgottenSiteScreen,
  'new-password': NewPasswordScreen,
  'not-me': NotMeScreen,
} as const;

interface RecoveryAppProps {
  page: RecoveryPage;
  visit: RecoveryVisit;
}

/** The recovery pages, outside the flow. Each has one form and its result. */
export function RecoveryApp({ page, visit }: RecoveryAppProps): ReactNode {
  const Screen = screens[page];
  return (
    <RecoveryVisitContext value={visit}>
      <Screen />
    </RecoveryVisitContext>
  );
}
