import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { asBase } from '../../../api/client.ts';
import { returnUrl } from '../../../flow/context.ts';
import type { MessageKey } from '../../../i18n/keys.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { Alert } from '../../../ui/alert/Alert.tsx';
import { SubmitButton } from '../../../ui/button/Button.tsx';
import { Form, FormActions } from '../../../ui/form/Form.tsx';
import { Description } from '../../../ui/text/Heading.tsx';
import { LiveRegion } from '../../../ui/text/LiveRegion.tsx';
import { useCorrelation, useFlow, useSend } from '../../flow-context.tsx';
import { signInWithPasskey } from '../../passkey-ceremonies.ts';
import type { PasskeyProblem } from '../../passkey-ceremonies.ts';
import { supportsPasskeys } from '../../passkey-support.ts';
import { useProblem } from '../../use-problem.ts';

/** The user has already entered the password, so these messages do not name it, unlike those of the first step. */
const problemTexts: Record<PasskeyProblem, MessageKey> = {
  cancelled: 'authenticator.errors.passkeyCancelled',
  exists: 'authenticator.errors.passkeyFailed',
  expired: 'authenticator.errors.passkeyExpired',
  failed: 'authenticator.errors.passkeyFailed',
  unknown: 'authenticator.errors.passkeyUnknown',
  unsupported: 'authenticator.passkeyUnsupported',
};

/**
 * A passkey as the second factor.
 * @param children content above the form
 */
export function PasskeyFactor({ children }: { children: ReactNode }): ReactNode {
  const { t, locale } = useLanguage();
  const send = useSend();
  const correlation = useCorrelation();
  const state = useFlow((whole) => whole);
  const [stage, setStage] = useState<'asking' | 'verifying'>();
  const problem = useProblem<MessageKey>();
  const running = useRef<AbortController>(undefined);
  // Closes the browser's prompt when the user chooses another way.
  useEffect(() => () => running.current?.abort(), []);

  const ask = async (): Promise<void> => {
    if (state.loading || stage) return;
    problem.clear();
    send({ type: 'CODE_ERROR_CLEARED' });
    setStage('asking');
    const controller = new AbortController();
    running.current = controller;
    const result = await signInWithPasskey(
      {
        body: { returnUrl: returnUrl(state), site: state.site, authSite: state.context?.session.authSite },
        environment: { correlation, locale, base: asBase(state.baseAddress), extensions: ['passkeys'] },
        signal: controller.signal,
        isFilledIn: false,
      },
      () => setStage('verifying'),
    );
    if (controller.signal.aborted) return;
    setStage(undefined);
    if ('problem' in result) return problem.show(problemTexts[result.problem]);
    const by = 'authenticate';
    if ('failure' in result) return send({ type: 'AUTH_FAILED', failure: result.failure });
    send({ type: 'AUTH_ANSWERED', answer: result.answer, by, time: result.timing });
  };

  if (!supportsPasskeys())
    return (
      <>
        <Description>
          <p>{t('authenticator.passkeyUnsupported')}</p>
        </Description>
        {children}
      </>
    );
  return (
    <>
      <Description>
        <p>{t('authenticator.passkeyDescription')}</p>
      </Description>
      {children}
      <Alert message={problem.message && t(problem.message)} occurrence={problem.occurrence} />
      <Form onSubmit={() => void ask()}>
        <FormActions>
          <SubmitButton action="use-passkey" isPending={stage !== undefined || state.loading}>
            {t('authenticator.usePasskey')}
          </SubmitButton>
        </FormActions>
      </Form>
      <LiveRegion isAssertive message={stage === 'verifying' ? t('login.signingIn') : undefined} />
    </>
  );
}
