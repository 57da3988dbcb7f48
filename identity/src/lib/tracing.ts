import type { IncomingHttpHeaders } from 'node:http';

/** The attributes of a span: never a URL, a parameter, or any other visitor input. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A request's span: spans started within `run` are its children. */
export type RequestSpan = {
  run: (work: () => void) => void;
  end: (name: string, attributes: SpanAttributes, failed: boolean) => void;
};

/** Tracing, if there is a collector (`tracing/start-tracing.ts`); otherwise it does nothing, at no cost. */
export type Tracing = {
  /** Continues the caller's trace, if there is one (W3C Trace Context). */
  openRequest: (headers: IncomingHttpHeaders) => RequestSpan;
  /** Runs `work` in its own span. */
  within: <Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>) => Promise<Result>;
  /** Records a span that has just ended. */
  noteEnded: (name: string, attributes: SpanAttributes, durationMs: number, failed: boolean) => void;
  /** Sends the remaining spans, without waiting for an unreachable collector. */
  close: () => Promise<void>;
};

export const noTracing: Tracing = {
  openRequest: () => ({ run: (work) => work(), end: () => undefined }),
  within: (_name, _attributes, work) => work(),
  noteEnded: () => undefined,
  close: () => Promise.resolve(),
};
