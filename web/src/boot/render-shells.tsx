import type { Locale } from '@anteroom/contract';
import type { FirstForm } from '@anteroom/contract/first-form';
import { renderToString } from 'react-dom/server';
import { createFlow } from '../flow/store.ts';
import { requireLanguage, showLanguage } from '../i18n/current-language.ts';
import type { MessageTree } from '../i18n/keys.ts';
import { directionOf } from '../i18n/locales.ts';
import { App } from '../screens/App.tsx';
import { brand } from '../ui/brand.ts';

const origin = 'https://shell.invalid';

/**
 * Runs in the build: renders a form in a language with every optional part, as a `<template>` element. `fill-shell.ts`
 * fills it in the browser.
 */
export function renderShell(name: FirstForm, locale: Locale, messages: MessageTree): string {
  showLanguage(locale, messages);
  const flow = createFlow({ entry: { kind: 'login' }, returnUrl: '/' }, () => {});
  flow.send({ type: 'STARTED' });
  flow.send({
    type: 'CONFIG_LOADED',
    config: { globalSupportUrl: origin, privacyPolicyBaseUrl: origin },
  });
  flow.send({
    type: 'CONTEXT_LOADED',
    context: {
      defaultSite: name === 'site-entry' ? undefined : 'site',
      defaultSiteDisplayName: 'organisation',
      defaultSiteLogoPath: '/logo',
      selectSite: false,
      identityServiceUrl: origin,
      forgotPasswordUrl: origin,
      siteRecoveryClientUri: origin,
      allowDefaultSiteEntry: true,
      allowUserNameEntry: true,
      allowPasswordEntry: true,
      reauthRequested: false,
      extensions: ['passkeys'],
      session: { state: 'none', isExternallyAuthenticated: false },
    },
  });
  if (name !== 'site-entry')
    flow.send({ type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry: name === 'credentials' } });
  const { page } = flow.store.getState();
  const app = renderToString(
    <App
      flow={flow}
      correlation={{ id: '', nextHeaders: () => ({ 'X-Correlation-Id': '', CorrelationId: '' }) }}
    />,
  );
  const { t } = requireLanguage();
  const title = t('titles.document', {
    title: t(page === 'site-entry' ? 'titles.site-entry' : 'titles.credentials'),
    product: brand.productName,
  });
  // React adds a preload of the logo, whose address is not known here.
  const content = app.replaceAll(/<link [^>]*>/g, '');
  return `<template data-shell="${name}" lang="${locale}" dir="${directionOf(locale)}" data-title="${title}">${content}</template>`;
}
