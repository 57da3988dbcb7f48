import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../identity/src/config.ts';
import { environment } from '../../identity/src/environment.ts';
import { fileSettings } from '../../identity/src/read-variables.ts';
import { root } from '../root.ts';
import { renderTemplates } from './go-template.ts';

type Values = Record<string, unknown>;

interface Probe {
  httpGet: { path: string; port: string; httpHeaders: { name: string; value: string }[] };
  timeoutSeconds: number;
}

interface Container {
  env: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  resources: unknown;
  securityContext: unknown;
  image: string;
}

interface PodSpec {
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: unknown;
  containers: [Container];
  volumes: { name: string; secret?: { items: { key: string; path: string }[] } }[];
}

interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  data: Record<string, string>;
  spec: {
    replicas: number;
    maxUnavailable: number;
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    rules: { host: string }[];
  };
}

interface Schema {
  properties: Record<string, Schema>;
  items?: { enum: string[] };
}

const chart = join(root, 'deploy/helm/anteroom');
const read = (path: string): string => readFileSync(join(chart, path), 'utf8');
const readValues = (path: string): Values => parse(read(path)) as Values;

const schema = JSON.parse(read('values.schema.json')) as Schema;
const validate = new Ajv({ allErrors: true, strict: false }).compile<Values>(schema);
const example = readValues('ci/production-values.yaml');

/** The settings that the chart itself sets. Below, those that production refuses or that need a writable folder. */
const settingsOfChart = ['NODE_ENV', 'HOST', 'PORT', 'METRICS_HOST', 'METRICS_PORT', 'PUBLIC_URL'];
const settingsOfEvaluation = ['DATA_DIR', 'DEMO_DATA', 'DEMO_PORT', 'OUTBOX', 'SAMPLE_DESTINATION'];

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges the values of an operator into those of the chart, as Helm does. */
function merge(base: Values, changes: Values): Values {
  const merged = Object.entries(changes).map(([name, value]) => {
    const before = base[name];
    return [name, isMap(value) && isMap(before) ? merge(before, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}

const withExample = (changes: Values): Values => merge(merge(readValues('values.yaml'), example), changes);

function problemsOf(values: Values): string[] {
  const describeError = ({ instancePath, message, params }: ErrorObject): string =>
    `${instancePath} ${message}${'additionalProperty' in params ? `: ${String(params['additionalProperty'])}` : ''}`;
  return validate(values) ? [] : (validate.errors ?? []).map(describeError);
}

function render(changes: Values = {}, release = 'anteroom'): Map<string, Manifest> {
  const values = withExample(changes);
  expect(problemsOf(values)).toEqual([]);
  const { name, version, appVersion } = readValues('Chart.yaml');
  const sources = globSync('templates/*', { cwd: chart }).map(
    (path) => [`anteroom/templates/${basename(path)}`, read(path)] as const,
  );
  const rendered = renderTemplates(new Map(sources), {
    Values: values,
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: release, Namespace: 'default', Service: 'Helm' },
    Template: { BasePath: 'anteroom/templates' },
  });
  const manifests = [...rendered]
    .filter(([path, text]) => path.endsWith('.yaml') && text.trim() !== '')
    .map(([, text]) => parse(text) as Manifest);
  return new Map(manifests.map((manifest) => [manifest.kind, manifest]));
}

function requireKind(manifests: Map<string, Manifest>, kind: string): Manifest {
  const manifest = manifests.get(kind);
  if (!manifest) throw new Error(`the chart has no ${kind}`);
  return manifest;
}

const podOf = (manifests: Map<string, Manifest>): PodSpec =>
  requireKind(manifests, 'Deployment').spec.template.spec;

/** Creates the secret settings of each kind that an operator would put into the Secret. */
function createSecrets(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256' };
  return {
    SECRETS: randomBytes(32).toString('base64url'),
    SIGNING_JWKS: JSON.stringify({ keys: [key] }),
    DATABASE_URL: 'postgres://anteroom:secret@db.example.org/anteroom',
    SMTP_URL: 'smtps://user:secret@mail.example.org:465',
    SMS_WEBHOOK_TOKEN: 'secret',
  };
}

/** The environment of the container, with the files of the mounted Secret. */
function environmentOf(manifests: Map<string, Manifest>): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-chart-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const secrets = createSecrets();
  const { volumes, containers } = podOf(manifests);
  for (const { key, path } of volumes.find(({ name }) => name === 'secrets')?.secret?.items ?? [])
    writeFileSync(join(folder, path), secrets[key] ?? '');
  const files = containers[0].env.map(
    ({ name, value }) => [name, value.replace('/run/secrets/anteroom', folder)] as const,
  );
  return { ...requireKind(manifests, 'ConfigMap').data, ...Object.fromEntries(files) };
}

describe('the values of the chart', () => {
  test('are described by the schema with the same settings as the service has, without secrets', () => {
    const elsewhere = [...fileSettings, ...settingsOfChart, ...settingsOfEvaluation];
    const expected = Object.keys(environment.entries).filter((name) => !elsewhere.includes(name));
    expect(Object.keys(schema.properties['settings']?.properties ?? {}).toSorted()).toEqual(
      expected.toSorted(),
    );
    expect(schema.properties['secrets']?.properties['keys']?.items?.enum).toEqual(fileSettings);
  });

  test('that a template reads are described by the schema', () => {
    const paths = globSync('templates/*', { cwd: chart }).flatMap((path) =>
      [...read(path).matchAll(/\.Values((?:\.\w+)+)/g)].map(([, fields = '']) => fields.slice(1).split('.')),
    );
    const isDescribed = (path: string[]): boolean => {
      let part: Schema | undefined = schema;
      for (const name of path) part = part?.properties[name];
      return part !== undefined;
    };
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !isDescribed(path))).toEqual([]);
  });

  test('of the example are accepted, and those of the chart alone name what is missing', () => {
    expect(problemsOf(withExample({}))).toEqual([]);
    expect(problemsOf(readValues('values.yaml')).toSorted()).toEqual([
      " must have required property 'publicUrl'",
      "/image must have required property 'repository'",
      "/secrets must have required property 'name'",
      "/settings must have required property 'MAIL_SENDER'",
      "/settings must have required property 'SMS_SENDER'",
      "/settings must have required property 'TRUSTED_PROXIES'",
    ]);
  });

  test.each([
    ['an address without TLS', { publicUrl: 'http://signin.example.org' }, '/publicUrl'],
    ['an address with a path', { publicUrl: 'https://signin.example.org/' }, '/publicUrl'],
    ['a misspelt setting', { settings: { SESION_IDLE_MINUTES: 20 } }, 'SESION_IDLE_MINUTES'],
    ['a secret among the settings', { settings: { SMTP_URL: 'smtps://a' } }, 'SMTP_URL'],
    ['the demo data', { settings: { DEMO_DATA: true } }, 'DEMO_DATA'],
    ['the outbox', { settings: { MAIL_SENDER: 'outbox' } }, '/settings/MAIL_SENDER'],
    ['a secret that is no setting', { secrets: { keys: ['PASSWORD'] } }, '/secrets/keys'],
    ['no key for the database', { secrets: { keys: ['SECRETS', 'SIGNING_JWKS'] } }, '/secrets/keys'],
    ['no node', { replicas: 0 }, '/replicas'],
    ['a misspelt value', { replicaCount: 3 }, 'replicaCount'],
    ['an ingress without a certificate', { ingress: { tlsSecretName: '' } }, '/ingress/tlsSecretName'],
    ['a network policy that lets everybody in', { networkPolicy: { visitorsFrom: [] } }, '/networkPolicy'],
  ] as const)('are refused with %s', (_, changes, expected) => {
    expect(problemsOf(withExample(changes)).join('\n')).toContain(expected);
  });
});

describe('the manifests of the chart', () => {
  test('configure a node so that it starts in production', () => {
    const config = parseConfig(environmentOf(render()));
    expect(config).toMatchObject({
      production: true,
      publicUrl: 'https://signin.example.org',
      host: '0.0.0.0',
      demoData: false,
      trustedProxies: ['10.0.0.0/8'],
      database: { kind: 'server' },
      passwords: { concurrency: 2 },
    });
    const { ports } = podOf(render()).containers[0];
    expect(ports).toEqual([
      { name: 'http', containerPort: config.port },
      { name: 'metrics', containerPort: config.metrics?.port },
    ]);
  });

  test('write numbers and switches of settings as text', () => {
    const settings = {
      EXPECTED_USERS_PER_HOUR: 10_000_000,
      AUDIT_ADDRESSES: false,
      MAIL_FROM: 'A "b" <c@d.example>',
    };
    const { data } = requireKind(render({ settings }), 'ConfigMap');
    expect(data).toMatchObject({
      EXPECTED_USERS_PER_HOUR: '10000000',
      AUDIT_ADDRESSES: 'false',
      MAIL_FROM: 'A "b" <c@d.example>',
    });
  });

  test.each(['https://signin.example.org', 'https://signin.example.org:8443'])(
    'probe a node with the host of %s, the only host that it accepts',
    (publicUrl) => {
      const manifests = render({ publicUrl });
      const { startupProbe, livenessProbe, readinessProbe } = podOf(manifests).containers[0];
      const headers = [{ name: 'Host', value: new URL(publicUrl).host }];
      const httpGet = (path: string): unknown => ({ path, port: 'http', httpHeaders: headers });
      expect(startupProbe.httpGet).toEqual(httpGet('/health/live'));
      expect(livenessProbe.httpGet).toEqual(httpGet('/health/live'));
      expect(readinessProbe.httpGet).toEqual(httpGet('/health/ready'));
      expect(readinessProbe.timeoutSeconds).toBeGreaterThan(3);
      expect(requireKind(manifests, 'Ingress').spec.rules[0]?.host).toBe('signin.example.org');
    },
  );

  test.each([{}, { DRAIN_SECONDS: 60, HASH_QUEUE_SECONDS: 30, DATABASE_STATEMENT_TIMEOUT_SECONDS: 20 }])(
    'give a node more time than it needs to shut down, with %o',
    (settings) => {
      const manifests = render({ settings });
      const { stop } = parseConfig(environmentOf(manifests));
      expect(podOf(manifests).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        stop.drainSeconds + stop.finishSeconds + 5,
      );
    },
  );

  test('run a node without privileges, on a read-only file system, with secrets in files', () => {
    const { containers, securityContext, automountServiceAccountToken, enableServiceLinks } = podOf(render());
    expect({ automountServiceAccountToken, enableServiceLinks }).toEqual({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    });
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65534, fsGroup: 65534 });
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(containers[0].env.every(({ name }) => name.endsWith('_FILE'))).toBe(true);
    expect(containers[0].resources).toMatchObject({ requests: { memory: '256Mi' } });
  });

  test('keep one node running while another is restarted or moved', () => {
    const manifests = render();
    expect(requireKind(manifests, 'Deployment').spec.replicas).toBe(2);
    expect(requireKind(manifests, 'PodDisruptionBudget').spec.maxUnavailable).toBe(1);
  });

  test('select the pods that the deployment creates', () => {
    const manifests = render({}, 'signin');
    const { selector, template } = requireKind(manifests, 'Deployment').spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(requireKind(manifests, 'Service').spec.selector).toEqual(selector.matchLabels);
    expect([...manifests.values()].map(({ metadata }) => metadata.name)).toEqual(
      Array.from({ length: manifests.size }, () => 'signin-anteroom'),
    );
  });

  test('of optional parts are absent unless they are enabled', () => {
    const parts = ['ingress', 'networkPolicy', 'podMonitor', 'podDisruptionBudget'];
    const off = Object.fromEntries(parts.map((part) => [part, { enabled: false }]));
    expect([...render(off).keys()].toSorted()).toEqual(['ConfigMap', 'Deployment', 'Service']);
    expect([...render().keys()].toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PodMonitor',
      'Service',
    ]);
  });

  test('take an image by its digest, and additional volumes and variables', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const { containers, volumes } = podOf(
      render({
        image: { digest },
        extraVolumes: [{ name: 'certificates', configMap: { name: 'certificates' } }],
        extraEnvironment: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/certificates/ca.pem' }],
      }),
    );
    expect(containers[0].image).toBe(`registry.example.org/anteroom@${digest}`);
    expect(containers[0].env.at(-1)?.name).toBe('NODE_EXTRA_CA_CERTS');
    expect(volumes.map(({ name }) => name)).toEqual(['secrets', 'certificates']);
  });

  test('and the chart have the version of the release', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(readValues('Chart.yaml')).toMatchObject({ version, appVersion: version });
  });
});
