import { boardSystemCalls, callsToBoardSystem } from './board-systems.ts';
import type { Call } from './call.ts';
import { contractVersion } from './limits.ts';
import { failureResponse, parametersOf, schemaOf, successOf } from './openapi-parts.ts';
import type { JsonSchema } from './openapi-parts.ts';

/** An OpenAPI 3.1 document of the calls between board systems and the identity service, in both directions. No browser makes these calls. */
export function boardSystemsDocument(): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Anteroom, board systems',
      version: contractVersion,
      description:
        'How board systems provide the to-dos of users: they push them to the identity service, or the service requests them.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'https://id.example', description: 'The identity service' }],
    tags: [
      { name: 'push', description: 'Served by the identity service, called by board systems.' },
      {
        name: 'pull',
        description: 'Served by a board system at `BOARD_SYSTEM_URL`, called by the identity service.',
      },
    ],
    security: [{ key: [] }],
    paths: {
      ...pathsOf(boardSystemCalls, { tags: ['push'], default: { $ref: '#/components/responses/Failure' } }),
      ...pathsOf(callsToBoardSystem, {
        tags: ['pull'],
        servers: [{ url: 'https://boards.example/api', description: 'The board system' }],
        default: { description: 'The site list shows no to-dos for this site; other sites are unaffected' },
      }),
    },
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Push: the key of the board system; the service stores only its hash (`BOARD_SYSTEM_KEYS`). Pull: `BOARD_SYSTEM_TOKEN`.',
        },
      },
      responses: { Failure: failureResponse() },
    },
  };
}

type SharedMembers = { tags: string[]; servers?: JsonSchema[]; default: JsonSchema };

function pathsOf(calls: Readonly<Record<string, Call>>, shared: SharedMembers): JsonSchema {
  return Object.fromEntries(
    Object.entries(calls).map(([operationId, call]) => [
      call.path,
      {
        [call.method.toLowerCase()]: {
          operationId,
          summary: call.summary,
          tags: shared.tags,
          ...(shared.servers && { servers: shared.servers }),
          parameters: parametersOf(call.query, 'query'),
          ...(call.body && {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: schemaOf(call.body) } },
            },
          }),
          responses: { ...successOf(call), default: shared.default },
        },
      },
    ]),
  );
}
