import type { FastifyInstance } from 'fastify';

export const formContentType = 'application/x-www-form-urlencoded';

/** Makes the routes of this scope read bodies of this content type as text, and refuse all others. */
export function readTextBodies(scope: FastifyInstance, contentType: string, limitBytes: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    contentType,
    { parseAs: 'string', bodyLimit: limitBytes },
    (_request, body, parsed) => parsed(null, body),
  );
}
