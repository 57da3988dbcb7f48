import { strict as assert } from 'node:assert';
import { calls } from '@anteroom/contract';
import type { Answer } from '../every-answer.ts';
import { ScenarioError } from '../failures.ts';
import type { Rule } from '../rule.ts';
import type { Scenario } from '../scenario.ts';
import { arrive } from '../visits.ts';
import { bodies, posts } from './requests.ts';

const section = 'Headers, on every call';
const needs = ['regions'] as const;

/** The headers of the front end that force a preflight request. */
const customHeaders = ['x-correlation-id', 'correlationid', 'conforming-errors'];
const preflightHeaders = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': [...customHeaders, 'content-type'].join(','),
};
const paths = Object.values(calls)
  .map(({ path }) => path.replaceAll(/:\w+/g, 'any'))
  .filter((path) => path.startsWith('/api/'));

function requireListed({ regionOrigin }: Scenario): string {
  if (regionOrigin === undefined) throw new ScenarioError('The scenario has no "regionOrigin".');
  return regionOrigin;
}

function listOf({ headers }: Answer, name: string): string[] {
  return String(headers[name] ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.trim());
}

/** Asserts that a page of `origin` can read the answer to a call with cookies (Fetch standard, "CORS check"). */
function requireReadable(answer: Answer, origin: string, what: string): void {
  assert.equal(answer.headers['access-control-allow-origin'], origin, what);
  assert.equal(answer.headers['access-control-allow-credentials'], 'true', what);
}

/** Origins that are not listed, most of which resemble the listed one. */
function unlistedOrigins(listed: string): string[] {
  const { protocol, host, hostname, port } = new URL(listed);
  return [
    'https://attacker.example',
    'null',
    `${protocol}//sub.${host}`,
    `${protocol}//${hostname}.attacker.example`,
    `${protocol === 'https:' ? 'http' : 'https'}://${host}`,
    `${protocol}//${hostname}:${Number(port) + 1}`,
    `${protocol}//${host.toUpperCase()}`,
  ];
}

export const regionRules: readonly Rule[] = [
  {
    id: 'region.readable',
    rule: 'The front end of a listed region can make calls with cookies, and read answers, errors, Retry-After and Date.',
    section,
    needs,
    async run(scenario) {
      const origin = requireListed(scenario);
      const { visitor } = await arrive(scenario);
      for (const path of paths) {
        const preflight = await visitor.ask('OPTIONS', path, { origin, ...preflightHeaders });
        assert.ok(preflight.status >= 200 && preflight.status < 300, `OPTIONS ${path}: ${preflight.status}`);
        requireReadable(preflight, origin, `OPTIONS ${path}`);
        const allowed = listOf(preflight, 'access-control-allow-headers');
        for (const name of [...customHeaders, 'content-type'])
          assert.ok(allowed.includes(name), `OPTIONS ${path} does not allow ${name}`);
      }
      const headers = { origin, 'sec-fetch-site': 'same-site' };
      for (const answer of [
        await visitor.call('getSiteExistence', { params: { name: scenario.sites.open }, headers }),
        await visitor.refused('getSites', 'unauthorized', { headers }),
      ]) {
        requireReadable(answer, origin, `an answer with ${answer.status}`);
        const exposed = listOf(answer, 'access-control-expose-headers');
        for (const name of ['retry-after', 'date'])
          assert.ok(exposed.includes(name), `an answer with ${answer.status} does not expose ${name}`);
      }
    },
  },
  {
    id: 'region.listed-alone',
    rule: 'Origins that are not listed cannot read an answer, even if they resemble a listed origin, and their calls are rejected.',
    section,
    needs,
    async run(scenario) {
      const { visitor } = await arrive(scenario);
      for (const origin of unlistedOrigins(requireListed(scenario))) {
        for (const [method, path] of [
          ['OPTIONS', '/api/ui/metrics'],
          ['GET', `/api/ui/sites/${scenario.sites.open}`],
        ] as const) {
          const { headers } = await visitor.ask(method, path, {
            origin,
            accept: 'application/json',
            ...(method === 'OPTIONS' && preflightHeaders),
          });
          const allowed = headers['access-control-allow-origin'];
          assert.ok(allowed !== origin && allowed !== '*', `${method} ${path} allows ${String(allowed)}`);
        }
        await visitor.refused('postMetrics', 'csrf_failed', {
          body: bodies['postMetrics'],
          headers: { origin, 'sec-fetch-site': 'same-site', 'x-xsrf-token': undefined },
        });
      }
    },
  },
  {
    id: 'region.state-change',
    rule: "Calls of a listed region's front end must use application/json and the front end's custom headers. They need no anti-forgery header.",
    section,
    needs,
    async run(scenario) {
      const { visitor } = await arrive(scenario);
      const headers = {
        origin: requireListed(scenario),
        'sec-fetch-site': 'same-site',
        'x-xsrf-token': undefined,
      };
      const body = bodies['postMetrics'];
      await visitor.succeed('postMetrics', { body, headers });
      const plain = Object.fromEntries(customHeaders.map((name): [string, undefined] => [name, undefined]));
      for (const name of posts)
        await visitor.refused(name, 'csrf_failed', { body: bodies[name], headers: { ...headers, ...plain } });
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined])
        await visitor.refused('postMetrics', 'unsupported_media_type', {
          body,
          headers: { ...headers, 'content-type': type },
        });
    },
  },
];
