import type { ReactNode } from 'react';
import { isStep } from '../../flow/transition.ts';
import { useLanguage } from '../../i18n/language.ts';
import { StepBanner } from '../../ui/alert/Alert.tsx';
import { useFlow } from '../flow-context.tsx';

/** What concerns the whole step, such as an ended session or a lost connection; its notification has announced it. */
export function Banner(): ReactNode {
  const { find } = useLanguage();
  const banner = useFlow((state) => (isStep(state.page) ? state.banner : undefined));
  return (
    <StepBanner
      message={banner && find(banner.messageKey ?? '', banner.messageParameters)}
      level={banner?.level ?? 'info'}
    />
  );
}
