import type { AuthContext, CallInput, CallName, Locale } from '@anteroom/contract';
import { act } from 'react';
import type { Correlation } from '../../api/correlation.ts';
import type { Effect, EffectType } from '../../flow/effects.ts';
import type { FlowEvent } from '../../flow/events.ts';
import type { Arrival, FlowState } from '../../flow/model.ts';
import { createFlow } from '../../flow/store.ts';
import { callsIn, contextWith } from '../../flow/testing.ts';
import { showLanguage } from '../../i18n/current-language.ts';
import { draw, requireMessages } from '../../ui/testing/draw.tsx';
import { App } from '../App.tsx';
import { preloadAllScreens, preloadScreen } from '../screens.tsx';

export const returnUrl =
  '/connect/authorize/one?client_id=director&scope=openid%20profile&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback%3Fx%3D1';

/** A service's context for the site `acme`, with overrides. */
export function contextOf(changes: Partial<AuthContext> = {}): AuthContext {
  return contextWith({
    defaultSite: 'acme',
    identityServiceUrl: location.origin,
    cancelRedirectUri: 'https://app.example/cancel',
    forgotPasswordUrl: 'https://app.example/forgot',
    mfaCodeValidityInMinutes: undefined,
    ...changes,
  });
}

export interface DrawnApp {
  /** Reports events and renders their results. */
  report: (...events: FlowEvent[]) => Promise<void>;
  /** The effects of a type that the flow has requested so far. */
  effects: <TType extends EffectType>(type: TType) => Extract<Effect, { type: TType }>[];
  /** The inputs of the calls of a name that the flow has requested so far. */
  calls: <TName extends CallName>(name: TName) => CallInput<TName>[];
  state: () => FlowState;
}

/** Renders the whole application with the real flow; effects are only recorded. */
export async function drawApp(
  arrival: Arrival,
  events: readonly FlowEvent[],
  locale: Locale = 'en',
): Promise<DrawnApp> {
  const requested: Effect[] = [];
  const flow = createFlow(arrival, (effect) => requested.push(effect));
  flow.send({ type: 'STARTED' });
  for (const event of events) flow.send(event);
  // The screens load their texts in the current language, which an earlier test file may have left without texts.
  showLanguage(locale, requireMessages(locale));
  await preloadAllScreens();
  draw(<App flow={flow} correlation={correlation} />, locale);
  // Resolves after the prefetches of the rendered page.
  await act(preloadAllScreens);

  return {
    state: flow.store.getState,
    effects: <TType extends EffectType>(type: TType) =>
      requested.filter((effect): effect is Extract<Effect, { type: TType }> => effect.type === type),
    calls: (name) => callsIn(requested, name),
    async report(...reported) {
      for (const event of reported) act(() => flow.send(event));
      // Loads the screen's chunk first.
      await act(() => preloadScreen(flow.store.getState().page));
      await act(preloadAllScreens);
    },
  };
}

const id = 'correlation-1';
const correlation: Correlation = {
  id,
  nextHeaders: () => ({ 'X-Correlation-Id': `${id}.1`, CorrelationId: id }),
};

interface SignInOptions {
  allowPasswordEntry?: boolean;
  locale?: Locale;
  /** Further events before the first screen. */
  events?: readonly FlowEvent[];
}

/** The sign-in page of the site `acme`. */
export function drawSignIn(
  changes: Partial<AuthContext> = {},
  { allowPasswordEntry = true, locale, events = [] }: SignInOptions = {},
): Promise<DrawnApp> {
  return drawApp(
    { entry: { kind: 'login' }, returnUrl },
    [
      {
        type: 'CONFIG_LOADED',
        config: {
          globalSupportUrl: 'https://help.example/',
          privacyPolicyBaseUrl: 'https://help.example/privacy',
        },
      },
      { type: 'CONTEXT_LOADED', context: contextOf(changes) },
      { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry } },
      ...events,
    ],
    locale,
  );
}
