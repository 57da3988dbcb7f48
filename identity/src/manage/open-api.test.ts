import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listManagementRoutes } from '../../testing/operators.ts';
import { useApplication } from '../../testing/use-application.ts';
import { managementDocument } from './open-api.ts';

const application = useApplication();

test('docs/manage-openapi.json is what the definitions say (node tools/write-management-api.ts)', () => {
  const written = readFileSync(new URL('../../../docs/manage-openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(managementDocument())));
});

test('the document has every route of the server, and no other', () => {
  const shape = (path: string): string => path.replaceAll(/\{\w+\}|:[\w|:]+/g, ':x');
  const documented = Object.entries(managementDocument()['paths'] as Record<string, object>).flatMap(
    ([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${shape(path)}`),
  );
  const served = listManagementRoutes(application()).map(({ method, path }) => `${method} ${shape(path)}`);
  expect(documented.toSorted()).toEqual([...new Set(served)].toSorted());
});
