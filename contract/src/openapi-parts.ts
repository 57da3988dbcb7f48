import { toJsonSchema } from '@valibot/to-json-schema';
import type { ConversionConfig } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Call } from './call.ts';
import { policyLine } from './calls/password.ts';
import { errorBody, errorCatalogue } from './errors.ts';
import { sentSchemas } from './schema.ts';

export type JsonSchema = Record<string, unknown>;

/** Describes the wire format: values before parsing, which lower-cases enumerations and drops nulls. */
export const conversion: ConversionConfig = {
  typeMode: 'input',
  target: 'draft-2020-12',
  // Ignores custom schemas, which have no JSON schema. `overrideSchema` describes those that parse more than clients
  // should send, such as case-insensitive enumerations.
  errorMode: 'ignore',
  overrideSchema: ({ valibotSchema }) => sentSchemas.get(valibotSchema),
  definitions: { PolicyLine: policyLine },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

export function schemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...described } = toJsonSchema(schema, conversion);
  return described;
}

/** The members of a strict object as OpenAPI parameters. */
export function parametersOf(schema: v.GenericSchema | undefined, place: 'path' | 'query'): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: described,
  }));
}

export function successOf(call: Call): JsonSchema {
  switch (call.kind) {
    case 'json':
      return {
        200: {
          description: 'Done',
          content: { 'application/json': { schema: call.answer ? schemaOf(call.answer) : {} } },
        },
      };
    case 'empty':
      return { 204: { description: 'Done' } };
    case 'text':
      return { 200: { description: 'A text', content: { 'text/plain': { schema: { type: 'string' } } } } };
    case 'xml':
      return {
        200: { description: 'A document', content: { 'application/xml': { schema: { type: 'string' } } } },
      };
    case 'redirect':
      return {
        302: {
          description: 'The location for the browser',
          headers: { Location: { schema: { type: 'string', format: 'uri-reference' } } },
        },
        200: {
          description: 'The location as text, for a caller that accepts only text/plain',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      };
  }
}

/** The component for all 4xx and 5xx responses. */
export function failureResponse(): JsonSchema {
  return {
    description: 'An error code of the catalogue',
    headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Whole seconds' } },
    content: {
      'application/json': {
        schema: {
          ...schemaOf(errorBody),
          examples: Object.keys(errorCatalogue).map((code) => ({ code })),
        },
      },
    },
  };
}
