import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Button, SubmitButton } from '../../ui/button/Button.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { useFlow, useSend } from '../flow-context.tsx';

/** Asks the user to confirm the sign-out. */
export function LogoutScreen(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const hasCancel = useFlow((state) => state.logout?.showCancelButton ?? false);
  return (
    <>
      <Heading>{t('logout.heading')}</Heading>
      <Description>{t('logout.description')}</Description>
      <Form onSubmit={() => send({ type: 'CONFIRM_LOGOUT' })}>
        <FormActions>
          <SubmitButton isPending={isLoading} action="sign-out">
            {t('common.signOut')}
          </SubmitButton>
          {hasCancel && (
            <Button action="cancel" variant="secondary" onPress={() => send({ type: 'CANCEL_LOGOUT' })}>
              {t('common.cancel')}
            </Button>
          )}
        </FormActions>
      </Form>
    </>
  );
}
