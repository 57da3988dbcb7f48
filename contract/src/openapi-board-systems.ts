import { boardSystemCalls, callsToBoardSystem } from './board-systems.ts';
import type { Call } from './call.ts';
import { failureResponse, parametersOf, schemaOf, successOf } from './openapi-parts.ts';
import type { JsonSchema } from './openapi-parts.ts';

/** The calls between a board system and the identity service, in both directions, as an OpenAPI 3.1 document of its own: no browser makes them. */
export function boardSystemsDocument(): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Anteroom, board systems',
      version: '1.21.0',
      description:
        'How a board system says what awaits people at their sites: it tells the identity service, or it is asked by it.',
      license: { name: 'Unlicensed', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: 'https://id.example', description: 'The identity service' }],
    tags: [
      { name: 'told', description: 'Served by the identity service, called by board systems.' },
      {
        name: 'asked',
        description:
          'Served by a board system, called by the identity service where `BOARD_SYSTEM_URL` says so.',
      },
    ],
    security: [{ key: [] }],
    paths: {
      ...pathsOf(boardSystemCalls, { tags: ['told'], default: { $ref: '#/components/responses/Failure' } }),
      ...pathsOf(callsToBoardSystem, {
        tags: ['asked'],
        servers: [{ url: 'https://boards.example/api', description: 'The board system' }],
        default: { description: 'Nothing is shown for this site, and other sites are as they were' },
      }),
    },
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Told: the key of the board system, of which the service has the hash alone (`BOARD_SYSTEM_KEYS`). Asked: `BOARD_SYSTEM_TOKEN`.',
        },
      },
      responses: { Failure: failureResponse() },
    },
  };
}

type Around = { tags: string[]; servers?: JsonSchema[]; default: JsonSchema };

function pathsOf(calls: Readonly<Record<string, Call>>, around: Around): JsonSchema {
  return Object.fromEntries(
    Object.entries(calls).map(([operationId, call]) => [
      call.path,
      {
        [call.method.toLowerCase()]: {
          operationId,
          summary: call.summary,
          tags: around.tags,
          ...(around.servers && { servers: around.servers }),
          parameters: parametersOf(call.query, 'query'),
          ...(call.body && {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: schemaOf(call.body) } },
            },
          }),
          responses: { ...successOf(call), default: around.default },
        },
      },
    ]),
  );
}
