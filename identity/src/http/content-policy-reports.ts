import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Clock } from '../lib/clock.ts';
import { contentPolicyReportsPath } from './content-policy.ts';
import { ContractError } from './errors.ts';
import { parseJson } from './json-body.ts';
import type { Log } from '../lib/log.ts';

// What browsers report when a page of ours did what its content policy forbids: an attack, an extension, or a mistake of ours.

/** A browser sends a handful at once; more than this is somebody else. */
const bodyLimitBytes = 16 * 1024;
const reportsPerBody = 20;
/** Of one process, for all visitors: an extension that many people have must not fill the log. */
const reportsPerMinute = 60;
const windowSeconds = 60;

const text = v.optional(v.pipe(v.string(), v.maxLength(4096)));
const line = v.optional(v.nullable(v.number()));

/** `report-uri`: one report, of Content Security Policy 2. */
const oldReport = v.object({
  'csp-report': v.object({
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'document-uri': text,
    'source-file': text,
    'line-number': line,
  }),
});
/** `report-to`: several, of the Reporting API. */
const newReports = v.pipe(
  v.array(
    v.object({
      type: v.string(),
      body: v.object({
        effectiveDirective: text,
        blockedURL: text,
        documentURL: text,
        sourceFile: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(4096)))),
        lineNumber: line,
      }),
    }),
  ),
  v.maxLength(reportsPerBody),
);

/** Nothing of it is as the browser sent it: names are of a list, addresses have lost what may be private. */
export type PolicyViolation = {
  directive: string;
  blocked: string;
  document: string;
  source: string;
  line: number | undefined;
};

type Needed = {
  clock: Clock;
  count: (directive: string) => void;
};

export function registerContentPolicyReports(app: FastifyInstance, { clock, count }: Needed): void {
  let windowEndsAt = 0;
  let reported = 0;

  /** @throws `rate_limit_reached` */
  function requireRoom(): void {
    const now = clock.now().getTime();
    if (now >= windowEndsAt) {
      windowEndsAt = now + windowSeconds * 1000;
      reported = 0;
    }
    reported += 1;
    if (reported > reportsPerMinute) {
      count('not-read');
      throw new ContractError('rate_limit_reached', { retryAfterSeconds: (windowEndsAt - now) / 1000 });
    }
  }

  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
      (_request, body, parsed) => {
        try {
          parsed(null, parseJson(Buffer.from(body)));
        } catch (error) {
          parsed(error instanceof Error ? error : new Error(String(error)));
        }
      },
    );
    scope.post(contentPolicyReportsPath, {
      // before the body is read
      onRequest: (_request, _reply, next) => {
        try {
          requireRoom();
          next();
        } catch (error) {
          next(error instanceof Error ? error : new Error(String(error)));
        }
      },
      handler: (request, reply) => {
        const log: Log = request.log;
        for (const violation of readViolations(request.body)) {
          count(violation.directive);
          log.warn(violation, 'a page did what its content policy forbids');
        }
        return reply.code(204).send();
      },
    });
    done();
  });
}

/** @throws `validation_failed` for what is neither kind of report */
function readViolations(body: unknown): PolicyViolation[] {
  const one = v.safeParse(oldReport, body);
  if (one.success) {
    const report = one.output['csp-report'];
    return [
      {
        directive: knownDirective(report['effective-directive'] ?? report['violated-directive']),
        blocked: withoutQuery(report['blocked-uri']),
        document: withoutQuery(report['document-uri']),
        source: withoutQuery(report['source-file']),
        line: report['line-number'] ?? undefined,
      },
    ];
  }
  const several = v.safeParse(newReports, body);
  if (!several.success) throw new ContractError('validation_failed', { detail: 'no content policy report' });
  return several.output
    .filter(({ type }) => type === 'csp-violation')
    .map(({ body: report }) => ({
      directive: knownDirective(report.effectiveDirective),
      blocked: withoutQuery(report.blockedURL),
      document: withoutQuery(report.documentURL),
      source: withoutQuery(report.sourceFile ?? undefined),
      line: report.lineNumber ?? undefined,
    }));
}

const directives: ReadonlySet<string> = new Set([
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'font-src',
  'connect-src',
  'frame-src',
  'form-action',
  'manifest-src',
  'object-src',
  'base-uri',
  'frame-ancestors',
  'require-trusted-types-for',
  'trusted-types',
  'worker-src',
  'media-src',
]);

/** The directive's name alone; older browsers send its values too. */
function knownDirective(sent = ''): string {
  const name = sent.split(' ')[0] ?? '';
  return directives.has(name) ? name : 'other';
}

const longestAddress = 200;

/** Origin and path: a query or a fragment may carry what is nobody else's business. Of what is no web address the scheme is enough. */
function withoutQuery(sent = ''): string {
  const url = URL.parse(sent);
  // `inline`, `eval`, `trusted-types-sink` and their like
  if (url === null) return /^[a-z-]{1,32}$/.test(sent) ? sent : '';
  return /^https?:$/.test(url.protocol)
    ? `${url.origin}${url.pathname}`.slice(0, longestAddress)
    : url.protocol;
}
