import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedError } from '../admin/problems.ts';
import type { RefusalKind } from '../admin/problems.ts';
import { tagOf } from '../admin/resource.ts';
import { toContractError } from '../http/error-handler.ts';
import type { Log } from '../lib/log.ts';
import type { ProblemAnswer } from './answers.ts';

export const proofPath = '/api/manage/proof';

type Kind = { name: string; status: number; title: string };

const invalid = { name: 'invalid', status: 422, title: 'A value is not valid.' };
const unavailable = { name: 'unavailable', status: 503, title: 'The service is busy: try again.' };

const kinds = {
  invalid,
  missing: { name: 'missing', status: 404, title: 'There is no such entry.' },
  conflict: { name: 'conflict', status: 409, title: 'This contradicts what is stored.' },
  changed: { name: 'changed', status: 412, title: 'The entry was changed meanwhile.' },
  forbidden: { name: 'forbidden', status: 403, title: 'This is not permitted.' },
  proof: { name: 'proof-required', status: 401, title: 'This needs a proof of the last ten minutes.' },
  limited: { name: 'too-many-requests', status: 429, title: 'Too many requests: wait.' },
  busy: unavailable,
} satisfies Record<RefusalKind, Kind>;

/** Refusals of the layer below, by their status. */
const kindsByStatus: Readonly<Record<number, Kind>> = {
  400: invalid,
  401: { name: 'sign-in-required', status: 401, title: 'Sign in with a second factor.' },
  403: kinds.forbidden,
  404: kinds.missing,
  405: { name: 'method-not-allowed', status: 405, title: 'The address has no such method.' },
  413: { name: 'too-large', status: 413, title: 'The request is too large.' },
  415: { name: 'unsupported-media-type', status: 415, title: 'The content type is not accepted.' },
  421: { name: 'misdirected', status: 421, title: 'This host is not served here.' },
  428: {
    name: 'precondition-required',
    status: 428,
    title: 'The header If-Match is required: the entity tag of the entry, or * on purpose.',
  },
  429: kinds.limited,
  503: unavailable,
};

const unexpected: Kind = { name: 'unexpected', status: 500, title: 'Something went wrong here.' };

/** A refusal that only this face knows. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: 401 | 428;
  constructor(status: 401 | 428, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** The only function that sends a refusal of the management API (RFC 9457). */
export async function answerProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { kind, ...details } = describe(error, request);
  if (details.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.ceil(details.retryAfterSeconds)));
  if (kind.status === 401 && request.headers.authorization !== undefined)
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
  const answer: ProblemAnswer = {
    type: `/problems/${kind.name}`,
    title: kind.title,
    status: kind.status,
    correlationId: request.id,
    ...details.members,
    ...(kind.status === 401 && { proofAddress: proofPath }),
  };
  await reply.code(kind.status).type('application/problem+json; charset=utf-8').send(JSON.stringify(answer));
}

type Described = {
  kind: Kind;
  members?: Partial<ProblemAnswer>;
  retryAfterSeconds?: number | undefined;
};

function describe(error: unknown, request: FastifyRequest): Described {
  const log: Log = request.log;
  if (error instanceof RefusedError) {
    const kind = kinds[error.kind];
    log.info({ code: kind.name }, 'refused');
    return { kind, members: membersOf(error), retryAfterSeconds: error.retryAfterSeconds };
  }
  if (error instanceof HttpRefusal) {
    const kind = kindsByStatus[error.status] ?? unexpected;
    log.info({ code: kind.name, detail: error.message }, 'refused');
    return { kind, members: { detail: error.message } };
  }
  const refusal = toContractError(error);
  const kind = kindsByStatus[refusal.status] ?? unexpected;
  const line = { code: kind.name, ...(refusal.detail !== undefined && { detail: refusal.detail }) };
  if (kind === unexpected) log.error({ ...line, err: refusal.cause }, 'unexpected failure');
  else if (kind.status >= 500) log.warn({ ...line, err: refusal.cause }, 'refused');
  else log.info(line, 'refused');
  const isReadable = kind !== unexpected && kind.status < 500 && refusal.detail !== undefined;
  return {
    kind,
    ...(isReadable && { members: { detail: refusal.detail ?? '' } }),
    retryAfterSeconds: refusal.retryAfterSeconds,
  };
}

function membersOf({ problems, count, present, message }: RefusedError): Partial<ProblemAnswer> {
  const errors = problems.map(({ line, column, reason, code }) => ({
    ...(column !== undefined && { pointer: `/${column.replaceAll('~', '~0').replaceAll('/', '~1')}` }),
    ...(line !== undefined && { line }),
    reason,
    ...(code !== undefined && { code }),
  }));
  const isPlain = errors.length === 1 && Object.keys(errors[0] ?? {}).length === 1;
  return {
    detail: message,
    ...(!isPlain && { errors }),
    ...(count > problems.length && { count }),
    ...(present !== undefined && { present: { ...present }, etag: tagOf(present) }),
  };
}
