import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { maybe } from '../schema.ts';

export const getErrorMessage = defineCall({
  method: 'GET',
  path: '/api/ui/error-message',
  summary: 'The record of an error that ended a flow',
  kind: 'json',
  query: v.strictObject({ errorId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)) }),
  answer: v.object({
    error: maybe(v.string()),
    /** The text is untrusted and can contain HTML. */
    errorDescription: maybe(v.string()),
    errorData: maybe(v.looseObject({})),
    correlationId: maybe(v.string()),
    /** ISO 8601, UTC. */
    timestamp: maybe(v.string()),
  }),
  ownOrigin: true,
  background: true,
});
