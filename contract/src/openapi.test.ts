import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { calls } from './index.ts';
import { boardSystemCalls, callsToBoardSystem } from './board-systems.ts';
import { boardSystemsDocument } from './openapi-board-systems.ts';
import { openApiDocument } from './openapi.ts';
import { accountCalls } from './account.ts';
import { authenticatorAppCalls } from './authenticator-app.ts';
import { passkeyCalls } from './passkeys.ts';
import { preferenceCalls } from './preferences.ts';
import { rememberedAccountCalls } from './remembered-accounts.ts';
import { recoveryCalls } from './recovery.ts';

const managementDocument = JSON.parse(
  readFileSync(new URL('../../docs/manage-openapi.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;

test.each([
  ['front ends', openApiDocument()],
  ['board systems', boardSystemsDocument()],
  ['the management API', managementDocument],
])('the OpenAPI document for %s is valid', async (_audience, document) => {
  const result = await new Validator().validate(structuredClone(document));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('the calls of board systems are only in their own document', () => {
  const [boardSystemPaths, frontEndPaths] = [
    boardSystemsDocument()['paths'],
    openApiDocument()['paths'],
  ] as object[];
  const paths = Object.values({ ...boardSystemCalls, ...callsToBoardSystem }).map(({ path }) => path);
  expect(Object.keys(boardSystemPaths ?? {})).toEqual(paths);
  expect(Object.keys(frontEndPaths ?? {}).filter((path) => (paths as string[]).includes(path))).toEqual([]);
});

test('the OpenAPI document has every call, including the extensions', () => {
  const paths = openApiDocument()['paths'] as Record<string, Record<string, { operationId: string }>>;
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(operations.toSorted()).toEqual(
    Object.keys({
      ...calls,
      ...recoveryCalls,
      ...preferenceCalls,
      ...rememberedAccountCalls,
      ...authenticatorAppCalls,
      ...passkeyCalls,
      ...accountCalls,
    }).toSorted(),
  );
});

test('an enumeration lists its options, and an optional member is nullable', () => {
  const text = JSON.stringify(openApiDocument());
  expect(text).toContain('"second_factor_required"');
  expect(text).toContain('"switch_tenant"');
  expect(text).toContain('"type":"null"');
});
