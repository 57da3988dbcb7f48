import type { IncomingHttpHeaders } from 'node:http';

/** What a span says of its work: never an address, a parameter, or anything else that a visitor sent. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A request's span: what is begun within `run` lies below it. */
export type RequestSpan = {
  run: (work: () => void) => void;
  end: (name: string, attributes: SpanAttributes, failed: boolean) => void;
};

/** Traces, for whoever has a collector (`tracing/start-tracing.ts`); otherwise nothing, at no cost. */
export type Tracing = {
  /** Goes on with the caller's trace where it names one (W3C Trace Context). */
  openRequest: (headers: IncomingHttpHeaders) => RequestSpan;
  /** Does `work` in a span of its own. */
  within: <Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>) => Promise<Result>;
  /** Something that has just ended, and took so long. */
  noteEnded: (name: string, attributes: SpanAttributes, durationMs: number, failed: boolean) => void;
  /** Sends what has not been sent; a collector that is away is not waited for. */
  close: () => Promise<void>;
};

export const noTracing: Tracing = {
  openRequest: () => ({ run: (work) => work(), end: () => undefined }),
  within: (_name, _attributes, work) => work(),
  noteEnded: () => undefined,
  close: () => Promise.resolve(),
};
