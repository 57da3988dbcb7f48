import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Call } from '@anteroom/contract';
import { findContradictions } from '@anteroom/contract/answer-rules';
import { parseInput, parseJsonBody, requireJson } from '@anteroom/identity/http/call-input';
import { contentPolicy } from '@anteroom/identity/http/content-policy';
import { ContractError } from '@anteroom/identity/http/errors';
import { securityHeaders, setSecurityHeaders } from '@anteroom/identity/http/security-headers';
import { distFolder } from '../static-files.ts';
import { listen } from '../listen.ts';
import type { Listening } from '../listen.ts';
import { createBrowserSession } from './browser-session.ts';
import { findCall } from './called.ts';
import type { Called } from './called.ts';
import { playOpeningScene } from './opening-scene.ts';
import type { ScriptedUrls } from './opening-scene.ts';
import { scriptedCalls } from './scripted-calls.ts';
import type { ScriptedInput, ScriptedName } from './scripted-calls.ts';
import { createScript } from './script.ts';
import type { AnyReply, Reply, Responder, Responders, Script } from './script.ts';
import { sendFile, sendJson, sendPage, sendRedirect, sendReply } from './send.ts';

/**
 * An identity service scripted by a test, which brings the front end into states that are hard to reach with the real
 * one. The contract types its responses, and requests are validated against the contract.
 */
export interface ScriptedIdentity {
  script: Script;
  urls: ScriptedUrls;
  /** The received calls of this name, oldest first. */
  received: <Name extends ScriptedName>(name: Name) => Called<Name>[];
  /** Requests that violate the contract; a test must end without any. */
  breaches: readonly string[];
  /** Restores the opening scene and clears the received calls. */
  reset: () => void;
  close: () => Promise<void>;
}

/** Handles requests that are not calls of the contract, before the service does. Returns false to leave them to the service. */
export type Guest = (
  url: URL,
  response: ServerResponse,
  identity: ScriptedIdentity,
  request: IncomingMessage,
) => boolean;

/** Starts the service, with the built front end under `/ui/`, and an application that starts sign-ins. */
export async function startScriptedIdentity(guest: Guest = () => false): Promise<ScriptedIdentity> {
  const responders: Responders = {};
  const script = createScript(responders);
  const received: Called[] = [];
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
  const urls: ScriptedUrls = { service: service.url, application: application.url };
  const session = createBrowserSession(service.url);

  // Uses the headers of the real service, so that the page is subject to the same policy.
  const headers = securityHeaders({
    contentPolicy: policyOfTheBuild(application.url),
    publicUrl: service.url,
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(response, headers);
    const url = new URL(request.url ?? '/', service.url);
    const call = findCall(request.method ?? 'GET', url.pathname);
    if (call) {
      const reply = await answerCall(call, url, request).catch(refuse);
      await reply.after;
      const cookies = session.note(call.name, reply, request.headers);
      if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
      return sendReply(request, response, scriptedCalls[call.name], reply);
    }
    if (guest(url, response, identity, request)) return;
    if (/^\/(api|saml)\//.test(url.pathname)) {
      breaches.push(`${request.method ?? ''} ${url.pathname} is no call of the contract`);
      const isOfAnotherMethod = ['GET', 'POST'].some((method) => findCall(method, url.pathname));
      return isOfAnotherMethod
        ? sendJson(response, 405, { code: 'method_not_allowed' })
        : sendJson(response, 404, { code: 'not_found' });
    }
    if (url.pathname === '/ui' || url.pathname.startsWith('/ui/'))
      return sendFile(request, response, url.pathname);
    // Other paths of the service redirect to the page below /ui/, or return a plain page on which a flow can end.
    if (/^\/(account|home)\//.test(url.pathname) || url.pathname === '/')
      return sendRedirect(response, `/ui${url.pathname}${url.search}`);
    return sendPage(response, url.pathname);
  }

  /** @throws the contract error of checks that the real service makes before a handler runs */
  async function answerCall(
    { name, params }: { name: ScriptedName; params: Record<string, string> },
    url: URL,
    request: IncomingMessage,
  ): Promise<AnyReply> {
    const call: Call = scriptedCalls[name];
    if (call.method !== 'GET') {
      requireJson(request.headers);
      session.requireOwnPage(request.headers);
    }
    const query = Object.fromEntries([...url.searchParams.keys()].map((key) => [key, valueOf(url, key)]));
    const body = parseJsonBody(await readBody(request));
    // The same schemas parse the input and define its type.
    const input = parseInput(call, { params, query, body }) as ScriptedInput<ScriptedName>;
    received.push({ name, input, headers: request.headers });
    session.requireUser(name);
    const reply = respond(responders, name, input);
    if (reply.answer !== undefined)
      for (const wrong of findContradictions(name, call, reply.answer))
        breaches.push(`the script lets ${name} answer what no service may: ${wrong}`);
    return reply;
  }

  /** Records a violation of the contract, which fails the journey. A missing session is no violation. */
  function refuse(error: unknown): AnyReply {
    if (!(error instanceof ContractError)) throw error;
    if (error.code !== 'unauthorized') breaches.push(error.message);
    return { error: { code: error.code } };
  }

  const reset = (): void => {
    received.length = 0;
    breaches.length = 0;
    session.reset();
    playOpeningScene(script, urls);
  };
  const identity: ScriptedIdentity = {
    script,
    urls,
    received: <Name extends ScriptedName>(name: Name) =>
      received.filter((call): call is Called<Name> => call.name === name),
    breaches,
    reset,
    close: async () => {
      await Promise.all([service, application].map(async (server: Listening) => server.close()));
    },
  };
  reset();
  return identity;
}

/** The application's URLs can be framed and shown as images, as an operator would configure it. */
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

/** A repeated parameter becomes an array, which every schema rejects. */
function valueOf(url: URL, key: string): string | string[] {
  const values = url.searchParams.getAll(key);
  return values.length === 1 ? (values[0] ?? '') : values;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
