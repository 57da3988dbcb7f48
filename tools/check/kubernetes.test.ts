import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createFirstKeys } from '../../identity/src/admin/keys.ts';
import { parseConfig } from '../../identity/src/config/config.ts';
import { environment } from '../../identity/src/config/environment.ts';
import { fileSettings } from '../../identity/src/config/read-variables.ts';
import { findProgram } from '../../identity/testing/nodes/find-program.ts';
import { root } from '../root.ts';

interface Probe {
  httpGet: { httpHeaders: { name: string; value: string }[] };
  timeoutSeconds: number;
}

interface Container {
  image: string;
  envFrom: { configMapRef: { name: string } }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  securityContext: unknown;
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  spec: {
    selector: { matchLabels: Record<string, string> };
    podSelector: unknown;
    template: {
      metadata: { labels: Record<string, string> };
      spec: { terminationGracePeriodSeconds: number; securityContext: unknown; containers: [Container] };
    };
    rules: { host: string }[];
    tls: { hosts: string[] }[];
  };
}

interface Kustomization {
  resources: string[];
  images: { name: string; newName: string; newTag: string }[];
  configMapGenerator: [{ literals: string[] }];
}

const folders = ['deploy/kubernetes/base', 'deploy/kubernetes/overlays/example'] as const;
const [, exampleFolder] = folders;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readKustomization = (folder: string): Kustomization =>
  parse(read(`${folder}/kustomization.yaml`)) as Kustomization;
const byKind = (all: Manifest[]): Map<string, Manifest> =>
  new Map(all.map((manifest) => [manifest.kind, manifest]));

const texts = globSync('deploy/kubernetes/**/*.yaml', { cwd: root }).map(read);
const manifests = byKind(texts.map((text) => parse(text) as Manifest));
const settings = folders
  .flatMap((folder) => readKustomization(folder).configMapGenerator[0].literals)
  .map(
    (literal) => [literal.slice(0, literal.indexOf('=')), literal.slice(literal.indexOf('=') + 1)] as const,
  );

function requireKind(kind: string, from = manifests): Manifest {
  const manifest = from.get(kind);
  if (!manifest) throw new Error(`there is no ${kind}`);
  return manifest;
}

const pod = requireKind('Deployment').spec.template.spec;
const [container] = pod.containers;

/** Parses the settings of the example as the service does, with a folder in place of the mounted Secret. */
function parseSettings(): ReturnType<typeof parseConfig> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-kubernetes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const secrets = {
    ...createFirstKeys(),
    DATABASE_URL: 'postgres://anteroom:secret@db.example.org/anteroom',
    SMTP_URL: 'smtps://user:secret@mail.example.org:465',
    SMS_WEBHOOK_TOKEN: 'secret',
  };
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
  const variables = settings.map(
    ([name, value]) => [name, value.replace('/run/secrets/anteroom', folder)] as const,
  );
  return parseConfig(Object.fromEntries(variables));
}

describe('the manifests for Kubernetes', () => {
  test.each(folders)('are the files that the kustomization of %s lists', (folder) => {
    const listed = readKustomization(folder).resources.filter((path) => path !== '../../base');
    const files = globSync('*.yaml', { cwd: join(root, folder) });
    expect([...listed, 'kustomization.yaml'].toSorted()).toEqual(files.toSorted());
  });

  test('contain only settings of the service, and no secret', () => {
    const secrets: readonly string[] = fileSettings;
    const known = [...Object.keys(environment.entries), ...secrets.map((name) => `${name}_FILE`)];
    expect(settings.filter(([name]) => !known.includes(name) || secrets.includes(name))).toEqual([]);
    expect(texts.filter((text) => /kind: Secret|secretGenerator/.test(text))).toEqual([]);
  });

  test('configure a node so that it starts in production and has the time to shut down', () => {
    const config = parseSettings();
    expect(config).toMatchObject({ production: true, host: '0.0.0.0', demoData: false });
    expect(container.ports).toEqual([
      { name: 'http', containerPort: config.port },
      { name: 'metrics', containerPort: config.metrics?.port },
    ]);
    const { drainSeconds, finishSeconds } = config.stop;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainSeconds + finishSeconds + 5);
    expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(3);
  });

  test('have one name, and select the pods of the deployment', () => {
    const { selector, template } = requireKind('Deployment').spec;
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    expect(requireKind('Service').spec.selector).toEqual(selector.matchLabels);
    expect(requireKind('NetworkPolicy').spec.podSelector).toEqual(selector);
    expect(requireKind('PodDisruptionBudget').spec.selector).toEqual(selector);
    expect(requireKind('PodMonitor').spec.selector).toEqual(selector);
    const named = [...manifests.values()].filter(({ kind }) => kind !== 'Kustomization');
    expect(new Set(named.map(({ metadata }) => metadata.name))).toEqual(new Set(['anteroom']));
  });

  test('run a node without privileges, on a read-only file system', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65534, fsGroup: 65534 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('take the image of this release', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(readKustomization(exampleFolder).images).toMatchObject([
      { name: container.image, newTag: version },
    ]);
  });
});

const kubectl = findProgram('kubectl');

describe.runIf(kubectl)('the example, rendered by kubectl', () => {
  test('has the image, all settings, and the host of PUBLIC_URL in each probe and in the ingress', () => {
    const { stdout, stderr } = spawnSync(kubectl ?? '', ['kustomize', join(root, exampleFolder)], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const rendered = byKind(parseAllDocuments(stdout).map((document) => document.toJS() as Manifest));
    const { data, metadata } = requireKind('ConfigMap', rendered);
    const [node] = requireKind('Deployment', rendered).spec.template.spec.containers;
    expect(data).toEqual(Object.fromEntries(settings));
    expect(node.envFrom).toEqual([{ configMapRef: { name: metadata.name } }]);
    expect(node.image).toMatch(/^registry\.example\.org\/anteroom:\d/);
    const host = 'signin.example.org';
    for (const probe of [node.startupProbe, node.livenessProbe, node.readinessProbe])
      expect(probe.httpGet.httpHeaders).toEqual([{ name: 'Host', value: host }]);
    expect(requireKind('Ingress', rendered).spec).toMatchObject({
      tls: [{ hosts: [host] }],
      rules: [{ host }],
    });
  });
});
