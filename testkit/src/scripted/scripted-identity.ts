import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { contentPolicy } from '@anteroom/identity/http/content-policy';
import { securityHeaders, setSecurityHeaders } from '@anteroom/identity/http/security-headers';
import { distFolder } from '../static-files.ts';
import { listen } from '../listen.ts';
import type { Listening } from '../listen.ts';
import { findCall, parseInput } from './called.ts';
import type { Called } from './called.ts';
import { playOpeningScene } from './opening-scene.ts';
import type { Places } from './opening-scene.ts';
import { scriptedCalls } from './scripted-calls.ts';
import type { ScriptedInput, ScriptedName } from './scripted-calls.ts';
import { createScript } from './script.ts';
import type { Reply, Responder, Responders, Script } from './script.ts';
import { sendFile, sendJson, sendPage, sendRedirect, sendReply } from './send.ts';

/**
 * An identity service that says what a test tells it to, so that the front end comes into states that the real one cannot
 * easily be brought into. What it may say is typed by the contract; what it hears is held to the contract.
 */
export interface ScriptedIdentity {
  script: Script;
  places: Places;
  /** The calls of this name, oldest first. */
  heard: <Name extends ScriptedName>(name: Name) => Called<Name>[];
  /** Requests that the contract does not know or does not allow: a test ends with none. */
  breaches: readonly string[];
  /** Back to the opening scene, everything heard forgotten. */
  reset: () => void;
  close: () => Promise<void>;
}

/** Answers what is no call of the contract, before the service does; false for what it leaves to the service. */
export type Guest = (url: URL, response: ServerResponse, identity: ScriptedIdentity) => boolean;

/** Starts the service, with the built front end under `/ui/`, and the application that sign-ins come from. */
export async function startScriptedIdentity(guest: Guest = () => false): Promise<ScriptedIdentity> {
  const responders: Responders = {};
  const script = createScript(responders);
  const heard: Called[] = [];
  const breaches: string[] = [];

  const service = await listen(
    createServer((request, response) => {
      void serve(request, response).catch((error: unknown) => {
        breaches.push(`${request.method ?? ''} ${request.url ?? ''}: ${String(error)}`);
        response.destroy();
      });
    }),
  );
  const application = await listen(
    createServer((request, response) => sendPage(response, request.url ?? '/')),
  );
  const places: Places = { service: service.url, application: application.url };

  // the real service's headers: what the page does has to be allowed there
  const headers = securityHeaders({
    contentPolicy: policyOfTheBuild(application.url),
    publicUrl: service.url,
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(response, headers);
    const url = new URL(request.url ?? '/', service.url);
    const call = findCall(request.method ?? 'GET', url.pathname);
    if (call) return answerCall(call.name, call.params, url, request, response);
    if (guest(url, response, identity)) return;
    if (/^\/(api|saml)\//.test(url.pathname)) {
      breaches.push(`${request.method ?? ''} ${url.pathname} is no call of the contract`);
      return sendJson(response, 404, { code: 'not_found' });
    }
    if (url.pathname === '/ui' || url.pathname.startsWith('/ui/'))
      return sendFile(request, response, url.pathname);
    // the service's other addresses are the application's twins under /ui/, and pages that a flow may end on
    if (/^\/(account|home)\//.test(url.pathname) || url.pathname === '/')
      return sendRedirect(response, `/ui${url.pathname}${url.search}`);
    return sendPage(response, url.pathname);
  }

  async function answerCall(
    name: ScriptedName,
    params: Record<string, string>,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const query = Object.fromEntries(url.searchParams);
    const parsed = parseInput(name, { params, query, body: await readBody(request) });
    if ('problem' in parsed) {
      breaches.push(parsed.problem);
      return sendJson(response, 400, { code: 'validation_failed', description: parsed.problem });
    }
    heard.push({ name, input: parsed.input, headers: request.headers });
    const reply = respond(responders, name, parsed.input);
    await reply.after;
    return sendReply(request, response, scriptedCalls[name], reply);
  }

  const reset = (): void => {
    heard.length = 0;
    breaches.length = 0;
    playOpeningScene(script, places);
  };
  const identity: ScriptedIdentity = {
    script,
    places,
    heard: <Name extends ScriptedName>(name: Name) =>
      heard.filter((call): call is Called<Name> => call.name === name),
    breaches,
    reset,
    close: async () => {
      await Promise.all([service, application].map(async (server: Listening) => server.close()));
    },
  };
  reset();
  return identity;
}

/** Addresses of the application may be framed and drawn, as an operator would list them. */
function policyOfTheBuild(applicationUrl: string): string {
  const page = join(distFolder, 'index.html');
  return contentPolicy({
    page: existsSync(page) ? readFileSync(page, 'utf8') : undefined,
    regionOrigins: [],
    signOutFrameOrigins: [applicationUrl],
    logoOrigins: [applicationUrl],
  });
}

function respond<Name extends ScriptedName>(
  responders: Responders,
  name: Name,
  input: ScriptedInput<Name>,
): Reply<Name> {
  const table: { [Key in Name]?: Responder<Key> } = responders;
  const responder = table[name];
  if (!responder) return { error: { code: 'not_implemented' } };
  return responder(input);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
