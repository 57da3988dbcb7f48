import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { ScenarioError } from './failures.ts';

const text = v.pipe(v.string(), v.nonEmpty());

/** A request to the service's test environment, or a command on the machine that runs the kit. */
export const action = v.union([
  v.strictObject({
    request: v.strictObject({
      method: v.optional(v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), 'POST'),
      address: text,
      headers: v.optional(v.record(v.string(), v.string()), {}),
      body: v.optional(v.unknown()),
    }),
  }),
  v.strictObject({ command: v.pipe(v.array(v.string()), v.minLength(1)) }),
]);
export type Action = v.InferOutput<typeof action>;

/**
 * Runs an action after replacing `{name}` in its texts by values; resolves to the response body or the output of the
 * command.
 */
export async function carryOut(
  step: Action,
  values: Readonly<Record<string, string>>,
  place: { origin: string; folder: string },
): Promise<string> {
  try {
    return 'command' in step
      ? await runCommand(
          step.command.map((argument) => fill(argument, values)),
          place.folder,
        )
      : await request(step.request, values, place.origin);
  } catch (error) {
    if (error instanceof ScenarioError) throw error;
    throw new ScenarioError(`${describe(step)}: ${reasonOf(error)}`, { cause: error });
  }
}

async function runCommand([program = '', ...args]: readonly string[], folder: string): Promise<string> {
  return (await promisify(execFile)(program, args, { cwd: folder })).stdout;
}

async function request(
  { method, address, headers, body }: Extract<Action, { request: unknown }>['request'],
  values: Readonly<Record<string, string>>,
  origin: string,
): Promise<string> {
  const filled = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(value)]));
  const url = new URL(fill(address, filled), origin);
  const content = body === undefined ? undefined : fillEach(body, values);
  const response = await fetch(url, {
    method,
    headers: { ...(content !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(content !== undefined && {
      body: typeof content === 'string' ? content : JSON.stringify(content),
    }),
  });
  const answer = await response.text();
  if (!response.ok) throw new ScenarioError(`${method} ${url.href} answered ${response.status}: ${answer}`);
  return answer;
}

const encode = (value: string): string => encodeURIComponent(value);

function fill(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function fillEach(body: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof body === 'string') return fill(body, values);
  if (Array.isArray(body)) return body.map((part) => fillEach(part, values));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, fillEach(value, values)]));
}

/** The message of an error. Reads the `cause`, because `fetch` puts the reason there. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function describe(step: Action): string {
  return 'command' in step ? step.command.join(' ') : `${step.request.method} ${step.request.address}`;
}
