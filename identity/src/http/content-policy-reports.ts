import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { contentPolicyReportsPath } from './content-policy.ts';
import { ContractError } from './errors.ts';
import { parseJson } from './call-input.ts';

// Reports of browsers that one of our pages violated its content security policy: an attack, a browser extension, or a defect.

/** Browsers send a few reports at once, so a larger body does not come from a browser. */
const bodyLimitBytes = 16 * 1024;
const reportsPerBody = 20;
/** The limit per node for all visitors together, so that a widespread browser extension cannot flood the log. */
const reportsPerMinute = 60;
const windowSeconds = 60;

const text = v.optional(v.pipe(v.string(), v.maxLength(4096)));
const line = v.optional(v.nullable(v.number()));

/** `report-uri`: one report (Content Security Policy 2). */
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
/** `report-to`: several reports (Reporting API). */
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

/** The sanitised report: known names only, and URLs without private parts. */
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
      // The limit applies before the body is read.
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
          log.warn(violation, 'a page violated its content security policy');
        }
        return reply.code(204).send();
      },
    });
    done();
  });
}

/** @throws `validation_failed` if the body has neither format */
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
  if (!several.success)
    throw new ContractError('validation_failed', { detail: 'the body is not a CSP report' });
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

/** The name of a known directive; older browsers also send its values. */
function knownDirective(sent = ''): string {
  const name = sent.split(' ')[0] ?? '';
  return directives.has(name) ? name : 'other';
}

const longestAddress = 200;

/**
 * The origin and path of an http(s) URL, because query and fragment may be private. For any other URL, only the scheme.
 */
function withoutQuery(sent = ''): string {
  const url = URL.parse(sent);
  // The blocked URI may also be a keyword such as `inline`, `eval`, `trusted-types-sink`.
  if (url === null) return /^[a-z-]{1,32}$/.test(sent) ? sent : '';
  return /^https?:$/.test(url.protocol)
    ? `${url.origin}${url.pathname}`.slice(0, longestAddress)
    : url.protocol;
}
