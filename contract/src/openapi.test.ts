import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { calls } from './index.ts';
import { openApiDocument } from './openapi.ts';
import { preferenceCalls } from './preferences.ts';
import { recoveryCalls } from './recovery.ts';

test('the OpenAPI document is a valid one', async () => {
  const result = await new Validator().validate(structuredClone(openApiDocument()));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('the OpenAPI document has every call, those of recovery and of preferences too', () => {
  const paths = openApiDocument()['paths'] as Record<string, Record<string, { operationId: string }>>;
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(operations.toSorted()).toEqual(
    Object.keys({ ...calls, ...recoveryCalls, ...preferenceCalls }).toSorted(),
  );
});

test('an enumeration is described by its options, and a member that may be absent may be null', () => {
  const text = JSON.stringify(openApiDocument());
  expect(text).toContain('"second_factor_required"');
  expect(text).toContain('"switch_tenant"');
  expect(text).toContain('"type":"null"');
});
