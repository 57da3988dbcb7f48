import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { useFlow } from '../flow-context.tsx';
import { GoToBoards } from '../StartAgain.tsx';

/** The signed-out page. A hidden frame notifies the applications. Shows a link unless the page navigates by itself. */
export function LoggedOutScreen(): ReactNode {
  const { t } = useLanguage();
  const leadsOn = useFlow((state) => state.leavingTo !== undefined);
  const frameAddress = useFlow((state) => state.logout?.signOutIFrameUrl);
  return (
    <>
      <Heading>{t('loggedOut.heading')}</Heading>
      <Description>
        {t(leadsOn ? 'loggedOut.description' : 'loggedOut.descriptionWithoutAddress')}
      </Description>
      {/* The visit is over: the page asks for nothing. */}
      <FormActions>{!leadsOn && <GoToBoards variant="secondary" words="loggedOut.signIn" />}</FormActions>
      {frameAddress !== undefined && <iframe src={frameAddress} title={t('loggedOut.frame')} hidden />}
    </>
  );
}
