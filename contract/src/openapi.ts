import { toJsonSchema } from '@valibot/to-json-schema';
import type { ConversionConfig } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Call } from './call.ts';
import { passwordPolicyAnswer, policyLine } from './calls/password.ts';
import { caselessOptions } from './schema.ts';
import { errorBody, errorCatalogue } from './errors.ts';
import { calls } from './index.ts';
import { preferenceCalls } from './preferences.ts';
import { recoveryCalls } from './recovery.ts';

type JsonSchema = Record<string, unknown>;

/** What is sent is described, before whoever reads it lower-cases enumerations and drops nulls. */
const conversion: ConversionConfig = {
  typeMode: 'input',
  target: 'draft-2020-12',
  // an enumeration that is read without regard to case is written as one of its options
  errorMode: 'ignore',
  overrideSchema: ({ valibotSchema }) => {
    const options = caselessOptions.get(valibotSchema);
    return options && { type: 'string', enum: [...options] };
  },
  definitions: { PolicyLine: policyLine },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

function schemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...described } = toJsonSchema(schema, conversion);
  return described;
}

/** A schema that refers to itself, at the place that its references name. */
function definitionOf(name: string): JsonSchema {
  const { $defs = {} } = toJsonSchema(passwordPolicyAnswer, conversion);
  const definition = $defs[name];
  if (typeof definition !== 'object') throw new Error(`The contract defines no ${name}`);
  return { ...definition };
}

/** The members of a strict object as OpenAPI parameters. */
function parametersOf(schema: v.GenericSchema | undefined, place: 'path' | 'query'): JsonSchema[] {
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

function successOf(call: Call): JsonSchema {
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
          description: 'The address for the browser',
          headers: { Location: { schema: { type: 'string', format: 'uri-reference' } } },
        },
        200: {
          description: 'The address as text, for a caller that accepts text/plain alone',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      };
  }
}

const antiForgery: JsonSchema = {
  name: 'X-XSRF-TOKEN',
  in: 'header',
  required: false,
  description: 'The value of the cookie XSRF-TOKEN; on same-origin addresses required.',
  schema: { type: 'string' },
};

function operationOf(name: string, call: Call): JsonSchema {
  const requestBody = call.body && {
    required: true,
    content: { 'application/json': { schema: schemaOf(call.body) } },
  };
  return {
    operationId: name,
    summary: call.summary,
    parameters: [
      ...parametersOf(call.params, 'path'),
      ...parametersOf(call.query, 'query'),
      ...(call.method === 'POST' ? [antiForgery] : []),
      { $ref: '#/components/parameters/CorrelationId' },
      { $ref: '#/components/parameters/NumberedCorrelationId' },
      { $ref: '#/components/parameters/ConformingErrors' },
    ],
    ...(requestBody && { requestBody }),
    responses: { ...successOf(call), default: { $ref: '#/components/responses/Failure' } },
  };
}

function headerParameter(name: string, description: string): JsonSchema {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

/** The contract as an OpenAPI 3.1 document. */
export function openApiDocument(): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const [name, call] of Object.entries<Call>({ ...calls, ...recoveryCalls, ...preferenceCalls })) {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(name, call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Anteroom',
      version: '1.21.0',
      description: 'The calls between a sign-in front end and the identity service behind it.',
      license: { name: 'Unlicensed', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      { url: '/', description: 'The origin that serves the front end, or a regional identity service' },
    ],
    paths,
    components: {
      schemas: { PolicyLine: definitionOf('PolicyLine') },
      parameters: {
        CorrelationId: headerParameter('CorrelationId', 'The id of the visit.'),
        NumberedCorrelationId: headerParameter(
          'X-Correlation-Id',
          'The id of the visit, a dot, and the number of the call.',
        ),
        ConformingErrors: headerParameter(
          'Conforming-Errors',
          "'true': errors are a code and perhaps a description.",
        ),
      },
      responses: {
        Failure: {
          description: 'What went wrong, as a code of the catalogue',
          headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Whole seconds' } },
          content: {
            'application/json': {
              schema: {
                ...schemaOf(errorBody),
                examples: Object.keys(errorCatalogue).map((code) => ({ code })),
              },
            },
          },
        },
      },
    },
  };
}
