import { siteNameMaximumLength } from '@anteroom/contract';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { recoveryAddress } from '../../addresses.ts';
import { returnUrl } from '../../flow/context.ts';
import type { FlowState } from '../../flow/model.ts';
import { readSite } from '../../flow/steps/site-entry.ts';
import { useLanguage } from '../../i18n/language.ts';
import type { Translator } from '../../i18n/translator.ts';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { TextField } from '../../ui/field/TextField.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { ActionLink } from '../../ui/link/ActionLink.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { nameOf } from '../form-data.ts';
import { useFocusAfterError } from '../use-focus-after-error.ts';

type Problem = 'siteRequired' | 'siteTooLong';

/** Requests the name of the site. */
export function SiteEntryScreen(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLoading = useFlow((state) => state.loading);
  const isUnknown = useFlow((state) => state.error?.kind === 'NotFound');
  const suggested = useFlow(suggestedSite);
  const [problem, setProblem] = useState<Problem>();
  const field = useRef<HTMLInputElement>(null);
  useFocusAfterError(field);

  const enterSite = (data: FormData): void => {
    const site = nameOf(data, 'site');
    const found = findProblem(readSite(site).site);
    setProblem(found);
    if (found) field.current?.focus();
    else send({ type: 'SITE_ENTERED', site });
  };

  return (
    <>
      <Heading>{t('site.heading')}</Heading>
      <Description>{t('site.description')}</Description>
      <Form onSubmit={enterSite}>
        <TextField
          label={t('site.label')}
          name="site"
          defaultValue={suggested}
          // `on`, because no autofill token fits and the browser's history of this field is useful.
          autoComplete="on"
          error={
            problem ? problemText(problem, t) : isUnknown ? t('site.errors.siteDoesNotExist') : undefined
          }
          isFormError={isUnknown && !problem}
          ref={field}
        />
        <FormActions>
          <SubmitButton isPending={isLoading}>{t('common.continue')}</SubmitButton>
          <ForgottenSite />
        </FormActions>
      </Form>
    </>
  );
}

/** The initial value: the known site, unless the visitor comes to change the site. */
function suggestedSite({ context, site, rememberedSite }: FlowState): string | undefined {
  if (context?.promptMethod === 'switch_tenant') return undefined;
  return site ?? context?.defaultSite ?? rememberedSite;
}

function findProblem(site: string): Problem | undefined {
  if (site === '') return 'siteRequired';
  return site.length > siteNameMaximumLength ? 'siteTooLong' : undefined;
}

function problemText(problem: Problem, t: Translator['t']): string {
  return problem === 'siteRequired'
    ? t('site.errors.siteRequired')
    : t('site.errors.siteTooLong', { count: siteNameMaximumLength });
}

/** The link for a forgotten site. Shown only if the service has an address for it. */
function ForgottenSite(): ReactNode {
  const { t, locale } = useLanguage();
  const address = useFlow((state) =>
    recoveryAddress(state.context?.siteRecoveryClientUri, locale, returnUrl(state)),
  );
  if (address === undefined) return null;
  return (
    <ActionLink action="forgot-site" href={address}>
      {t('site.forgotSite')}
    </ActionLink>
  );
}
