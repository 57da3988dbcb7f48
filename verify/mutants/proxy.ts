import { createServer, request as send } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { listen } from '@anteroom/testkit/listen';

export interface MutableRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  /** The parsed body, if it is a JSON object. */
  body: Record<string, unknown> | undefined;
}

export interface MutableAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** The changes of one mutant to requests and answers. */
export interface Mutation {
  request?: (request: MutableRequest) => void;
  answer?: (answer: MutableAnswer, request: MutableRequest) => void;
}

/**
 * A proxy that forwards to `target` and applies the current mutation. Replaces the address of the proxy by that of the
 * target in requests, and the reverse in answers.
 */
export async function startMutatingProxy(target: string): Promise<{
  url: string;
  play: (mutation: Mutation) => void;
  close: () => Promise<void>;
}> {
  let mutation: Mutation = {};
  const proxy = await listen(
    createServer((incoming, response) => {
      pass(incoming).then(
        ({ status, headers, text }) => response.writeHead(status, headers).end(text),
        (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
      );
    }),
  );
  const [here, there] = [new URL(proxy.url).host, new URL(target).host];

  async function pass(incoming: IncomingMessage): Promise<MutableAnswer> {
    const inward = (text: string): string => text.replaceAll(here, there);
    const content = inward(await read(incoming));
    const request: MutableRequest = {
      method: incoming.method ?? 'GET',
      url: new URL(inward(incoming.url ?? '/'), target),
      headers: mapHeaders(incoming.headers, inward),
      body: parse(content),
    };
    const before = JSON.stringify(request.body);
    mutation.request?.(request);
    const isChanged = JSON.stringify(request.body) !== before;
    const answer = await ask(request, isChanged ? JSON.stringify(request.body) : content);
    mutation.answer?.(answer, request);
    const outward = (text: string): string => text.replaceAll(there, here);
    delete answer.headers['content-length'];
    delete answer.headers['transfer-encoding'];
    return { ...answer, headers: mapHeaders(answer.headers, outward), text: outward(answer.text) };
  }

  return { url: proxy.url, play: (next) => void (mutation = next), close: proxy.close };
}

async function ask({ method, url, headers }: MutableRequest, content: string): Promise<MutableAnswer> {
  const { 'content-length': length, ...rest } = headers;
  const sent = {
    ...rest,
    ...(length !== undefined && { 'content-length': String(Buffer.byteLength(content)) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers: sent }, (incoming) => {
      read(incoming).then(
        (text) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
        reject,
      );
    });
    outgoing.on('error', reject).end(content);
  });
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

function mapHeaders(headers: IncomingHttpHeaders, change: (text: string) => string): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(change) : value && change(value),
    ]),
  );
}

function parse(content: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(content);
    return typeof body === 'object' && !Array.isArray(body) && body !== null
      ? (body as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
