import { findCookie } from '../../web/src/cookies.ts';
import type { ProblemAnswer as Problem } from '../../identity/src/manage/answers.ts';

/** The service refused a request, or did not answer. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }

  /** The last segment of the problem's type, for example `proof-required`. */
  get kind(): string {
    return this.problem.type.split('/').at(-1) ?? '';
  }
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>;
type Options = { query?: Query; body?: unknown; etag?: string; dryRun?: boolean; signal?: AbortSignal };
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export async function get<Answer>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Answer> {
  const response = await send('GET', path, { query, ...(signal && { signal }) });
  return (await response.json()) as Answer;
}

/** An entry with the version that a later change must name. */
export type Versioned<Entry> = { entry: Entry; etag: string };

export async function getEntry<Entry>(path: string): Promise<Versioned<Entry>> {
  const response = await send('GET', path, {});
  return { entry: (await response.json()) as Entry, etag: response.headers.get('etag') ?? '*' };
}

export async function change<Answer>(
  method: Exclude<Method, 'GET'>,
  path: string,
  options: Omit<Options, 'query'> = {},
): Promise<Answer> {
  const response = await send(method, path, {
    ...options,
    ...(options.dryRun === true && { query: { 'dry-run': 'true' } }),
  });
  return (await response.json()) as Answer;
}

/** Sends a file to an import; the answer is the outcome of all rows or a problem with the lines. */
export async function upload<Answer>(
  path: string,
  { file, type, query }: { file: string; type: string; query: Query },
): Promise<Answer> {
  const response = await request('POST', addressOf(path, query), { 'content-type': type }, file);
  return (await response.json()) as Answer;
}

async function send(method: Method, path: string, { query = {}, body, etag, signal }: Options) {
  const headers: Record<string, string> = {};
  if (etag !== undefined) headers['if-match'] = etag;
  if (method === 'POST' || method === 'PATCH') headers['content-type'] = 'application/json';
  const content = 'content-type' in headers ? JSON.stringify(body ?? {}) : undefined;
  return await request(method, addressOf(path, query), headers, content, signal);
}

function addressOf(path: string, query: Query): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const search = new URLSearchParams(parameters.filter(([, value]) => value !== '')).toString();
  return `/api/manage/${path}${search === '' ? '' : `?${search}`}`;
}

/** @throws ProblemError */
async function request(
  method: Method,
  address: string,
  headers: Record<string, string>,
  body?: string,
  signal?: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      // The value belongs to the session and changes with it, so it is read for each request.
      headers: method === 'GET' ? headers : { ...headers, 'x-xsrf-token': findCookie('XSRF-TOKEN') ?? '' },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ProblemError({
      type: '/problems/unreachable',
      title: 'unreachable',
      status: 0,
      correlationId: '',
    });
  }
  if (response.ok) return response;
  throw new ProblemError(await readProblem(response));
}

/** Also of an answer from a proxy, which is no problem document. */
async function readProblem(response: Response): Promise<Problem> {
  const correlationId = response.headers.get('x-correlation-id') ?? '';
  const fallback = {
    type: '/problems/unexpected',
    title: response.statusText,
    status: response.status,
    correlationId,
  };
  if (response.headers.get('content-type')?.startsWith('application/problem+json') !== true) return fallback;
  return { ...fallback, ...((await response.json()) as Partial<Problem>) };
}
