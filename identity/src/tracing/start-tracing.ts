import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, trace } from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { SpanAttributes, Tracing } from '../lib/tracing.ts';

export type TracingSettings = { endpoint: string; ratio: number };

/** Longer attributes are truncated. The longest are the texts of statements, with a few hundred characters. */
const longestAttribute = 2_000;
const exportTimeoutMs = 5_000;
/** The maximum wait on shutdown for a collector that does not respond. */
const longestFlushMs = 2_000;

/**
 * Sends traces to a collector by OTLP over HTTP. This module is loaded only if a collector is configured, because it
 * costs memory and start-up time (decision 024). The trace id decides about sampling: the `sampled` flag of a request
 * has no effect.
 */
export function startTracing({ endpoint, ratio }: TracingSettings): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'anteroom', 'process.pid': process.pid }),
    sampler: new TraceIdRatioBasedSampler(ratio),
    spanLimits: { attributeValueLengthLimit: longestAttribute },
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs })],
  });
  const tracer = provider.getTracer('anteroom');
  const propagator = new W3CTraceContextPropagator();
  const open = new AsyncLocalStorage<Span>();
  const parent = (): Context => {
    const span = open.getStore();
    return span === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, span);
  };

  return {
    openRequest(headers) {
      const caller = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, caller);
      return {
        run: (work) => open.run(span, work),
        end(name, attributes, failed) {
          span.updateName(name);
          finish(span, attributes, failed);
        },
      };
    },
    async within(name, attributes, work) {
      const span = tracer.startSpan(name, {}, parent());
      try {
        const result = await open.run(span, work);
        finish(span, attributes, false);
        return result;
      } catch (error) {
        // only the name of the error: its message can contain a visitor's input
        finish(
          span,
          { ...attributes, 'error.type': error instanceof Error ? error.name : typeof error },
          true,
        );
        throw error;
      }
    },
    noteEnded(name, attributes, durationMs, failed) {
      const end = Date.now();
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: end - durationMs }, parent());
      finish(span, attributes, failed, end);
    },
    async close() {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, wait(longestFlushMs, undefined, { ref: false })]);
    },
  };
}

function finish(span: Span, attributes: SpanAttributes, failed: boolean, at?: number): void {
  span.setAttributes(attributes);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(at);
}
