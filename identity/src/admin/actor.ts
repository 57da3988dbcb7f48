import type { Locale } from '@anteroom/contract';
import { isFreshOperation, operations } from './permissions.ts';
import type { Operation, Scope } from './permissions.ts';
import { RefusedError } from './problems.ts';

/** Who acts, through which face, and how far each operation reaches. */
export type Actor = {
  /** For the audit log: the user of a shell, the id of a user, or the id of a client. */
  name: string;
  via: 'shell' | 'console' | 'api';
  /** Of the mails that the actor causes. */
  language: Locale;
  /** Undefined: not permitted. */
  scopeOf: (operation: Operation) => Scope | undefined;
  /** Whether the user has proved who it is in the last ten minutes. Undefined for an actor that cannot prove it again. */
  hasFreshProof?: boolean;
};

/** Whoever can run a command has the password of the database. */
export function shellActor(name: string): Actor {
  return { name, via: 'shell', language: 'en', scopeOf: () => 'all' };
}

/** A client acts everywhere, within the scopes of its token. */
export function clientActor(clientId: string, scopes: readonly string[]): Actor {
  const granted = new Set(operations.filter((operation) => scopes.includes(operation)));
  const scopeOf: Actor['scopeOf'] = (operation) => (granted.has(operation) ? 'all' : undefined);
  return { name: clientId, via: 'api', language: 'en', scopeOf };
}

type ActsFor = { operation: { actor: Actor } };

/**
 * The scope in which the actor may do the operation.
 * @throws RefusedError if it is not permitted, or needs a fresh proof
 */
export function permit({ operation: { actor } }: ActsFor, operation: Operation): Scope {
  const scope = actor.scopeOf(operation);
  if (scope === undefined)
    throw new RefusedError(`${actor.name} may not do this (${operation})`, { kind: 'forbidden' });
  if (isFreshOperation(operation) && actor.hasFreshProof === false)
    throw new RefusedError('this needs a proof of the last ten minutes', { kind: 'proof' });
  return scope;
}

/** Like `permit`, for an operation that concerns everybody. */
export function permitEverywhere(context: ActsFor, operation: Operation): void {
  if (permit(context, operation) !== 'all')
    throw new RefusedError(`an administrator of a site may not do this (${operation})`, {
      kind: 'forbidden',
    });
}
