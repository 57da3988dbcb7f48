import { scriptedCalls } from './scripted-calls.ts';
import type { ScriptedInput, ScriptedName } from './scripted-calls.ts';

/** A request that the service received. */
export interface Called<Name extends ScriptedName = ScriptedName> {
  name: Name;
  input: ScriptedInput<Name>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const patterns = Object.entries(scriptedCalls).map(([name, call]) => ({
  name: name as ScriptedName,
  method: call.method,
  names: [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ''),
  expression: new RegExp(`^${call.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`),
}));

/** Finds the contract call of a request, with its path parameters; undefined if there is none. */
export function findCall(
  method: string,
  path: string,
): { name: ScriptedName; params: Record<string, string> } | undefined {
  for (const { name, method: wanted, names, expression } of patterns) {
    const found = wanted === method ? expression.exec(path) : null;
    if (!found) continue;
    const params = names.map((key, index) => [key, decodeURIComponent(found[index + 1] ?? '')] as const);
    return { name, params: Object.fromEntries(params) };
  }
  return undefined;
}
