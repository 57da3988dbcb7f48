// @vitest-environment happy-dom
import { calls } from '@anteroom/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../api/client.ts';
import { openCorrelation } from '../api/correlation.ts';
import { resendCode } from '../flow/calls.ts';
import type { FlowEvent } from '../flow/events.ts';
import type { MessageFactor } from '../flow/model.ts';
import { createFlow } from '../flow/store.ts';
import { createEffectRunner } from './run-effects.ts';

afterEach(() => void vi.unstubAllGlobals());

test.each<[MessageFactor, object]>([
  ['sms', { returnUrl: '/connect/authorize/one' }],
  ['email', { returnUrl: '/connect/authorize/one', factor: 'email' }],
])(
  'a resend does not name a text message, because every service sends one by default: %s',
  async (factor, body) => {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', (_: string, request: { body: string }) => {
      sent.push(JSON.parse(request.body));
      return Promise.resolve(new Response(null, { status: 204, headers: { 'Retry-After': '40' } }));
    });
    const environment = { correlation: openCorrelation(), locale: () => 'en' };
    const runEffect = createEffectRunner(createClient(calls, environment), environment);
    const flow = createFlow({ entry: { kind: 'login' }, returnUrl: '/connect/authorize/one' }, () => {});
    const report = vi.fn<(event: FlowEvent) => void>();
    runEffect(resendCode(flow.store.getState(), factor), { ...flow, report });
    await vi.waitFor(() => expect(report).toHaveBeenCalled());
    expect(sent).toEqual([body]);
    const resent = expect.objectContaining({ retryAfterSeconds: 40 }) as unknown;
    expect(report).toHaveBeenCalledWith({
      type: 'CODE_RESENT',
      resent,
      factor: factor === 'sms' ? undefined : factor,
    });
  },
);
