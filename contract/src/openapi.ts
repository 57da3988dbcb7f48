import { toJsonSchema } from '@valibot/to-json-schema';
import type { Call } from './call.ts';
import { passwordPolicyAnswer } from './calls/password.ts';
import { calls } from './index.ts';
import { contractVersion } from './limits.ts';
import { conversion, failureResponse, parametersOf, schemaOf, successOf } from './openapi-parts.ts';
import type { JsonSchema } from './openapi-parts.ts';
import { accountCalls } from './account.ts';
import { authenticatorAppCalls } from './authenticator-app.ts';
import { passkeyCalls } from './passkeys.ts';
import { preferenceCalls } from './preferences.ts';
import { rememberedAccountCalls } from './remembered-accounts.ts';
import { recoveryCalls } from './recovery.ts';

/** The definition of a recursive schema, for `components.schemas`. */
function definitionOf(name: string): JsonSchema {
  const { $defs = {} } = toJsonSchema(passwordPolicyAnswer, conversion);
  const definition = $defs[name];
  if (typeof definition !== 'object') throw new Error(`The contract defines no ${name}`);
  return { ...definition };
}

const antiForgery: JsonSchema = {
  name: 'X-XSRF-TOKEN',
  in: 'header',
  required: false,
  description: 'The value of the cookie XSRF-TOKEN; required on same-origin addresses.',
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
      { $ref: '#/components/parameters/Extensions' },
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
  for (const [name, call] of Object.entries<Call>({
    ...calls,
    ...recoveryCalls,
    ...preferenceCalls,
    ...rememberedAccountCalls,
    ...authenticatorAppCalls,
    ...passkeyCalls,
    ...accountCalls,
  })) {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(name, call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Anteroom',
      version: contractVersion,
      description: 'The calls between a sign-in front end and the identity service behind it.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
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
          'The id of the visit, a dot and the number of the call.',
        ),
        Extensions: headerParameter(
          'X-Anteroom-Extensions',
          'The extensions of AuthContext `extensions` that the page supports, comma separated. Not sent to a service that lists none.',
        ),
        ConformingErrors: headerParameter(
          'Conforming-Errors',
          "'true': errors have a code and an optional description.",
        ),
      },
      responses: {
        Failure: failureResponse(),
      },
    },
  };
}
