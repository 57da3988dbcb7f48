import type { Call } from '@anteroom/contract';
import * as v from 'valibot';
import { scriptedCalls } from './scripted-calls.ts';
import type { ScriptedInput, ScriptedName } from './scripted-calls.ts';

/** A request as the service received it. */
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

/** The call of the contract that a request is, with its path parameters. Undefined: no call lives there. */
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

interface RawInput {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

/** Reads a request by the contract. Answers what is wrong with it instead, when something is. */
export function parseInput<Name extends ScriptedName>(
  name: Name,
  raw: RawInput,
): { input: ScriptedInput<Name> } | { problem: string } {
  const call: Call = scriptedCalls[name];
  const problems: string[] = [];
  const read = (part: keyof RawInput, schema: v.GenericSchema | undefined): unknown => {
    if (!schema) return undefined;
    const result = v.safeParse(schema, raw[part]);
    if (result.success) return result.output;
    for (const issue of result.issues)
      problems.push(`${part} ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
    return undefined;
  };
  const input = {
    params: read('params', call.params),
    query: read('query', call.query),
    body: read('body', call.body),
  };
  return problems.length > 0
    ? { problem: `${name}: ${problems.join('; ')}` }
    : { input: input as ScriptedInput<Name> };
}
