import { randomBytes } from 'node:crypto';

/** A sign-in in progress, with the values that its answer must contain. */
export type Flow = {
  /** The issuer of the request; answers from other issuers are rejected (RFC 9700, 4.4). */
  issuer: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  purpose: Purpose;
  /** The page of the portal to open after the sign-in. */
  target?: string | undefined;
};

/** Why the user was redirected to the provider. */
export const purposes = ['sign-in', 'switch-site', 'change-password', 'elevate'] as const;
export type Purpose = (typeof purposes)[number];

export type Claims = Record<string, unknown>;

export type SignedIn = {
  claims: Claims;
  idToken: string;
  issuer: string;
  /** The finished action, until a page has reported it. */
  done: Purpose | undefined;
};

/** The session of one browser. */
export type PortalSession = {
  /** Several tabs can have a sign-in in progress, each with its own state. */
  flows: Map<string, Flow>;
  signedIn: SignedIn | undefined;
};

/** The maximum number of flows in progress; the oldest is removed first. */
const maximumFlows = 10;
/** The maximum number of sessions, enough for a demonstration; the oldest is removed first. */
const maximumSessions = 10_000;

/** Creates the session storage, in memory: a restart ends all sessions. */
export function createSessions() {
  const sessions = new Map<string, PortalSession>();
  return {
    find: (id: string | undefined): PortalSession | undefined =>
      id === undefined ? undefined : sessions.get(id),
    /** Creates a session with a new id. Also called at sign-in, so that an id from before the sign-in is useless. */
    open(session: PortalSession = { flows: new Map(), signedIn: undefined }): {
      id: string;
      session: PortalSession;
    } {
      const id = randomBytes(32).toString('base64url');
      sessions.set(id, session);
      dropFirst(sessions, maximumSessions);
      return { id, session };
    },
    end: (id: string | undefined): void => {
      if (id !== undefined) sessions.delete(id);
    },
    /** Ends the session with the `sid` of the provider. */
    endNamed(issuer: string, sid: string): void {
      for (const [id, { signedIn }] of sessions)
        if (signedIn?.issuer === issuer && signedIn.claims['sid'] === sid) sessions.delete(id);
    },
  };
}

export function addFlow({ flows }: PortalSession, flow: Flow): void {
  flows.set(flow.state, flow);
  dropFirst(flows, maximumFlows);
}

/** Removes and returns a flow, so that its answer is accepted once. */
export function takeFlow({ flows }: PortalSession, state: string): Flow | undefined {
  const flow = flows.get(state);
  flows.delete(state);
  return flow;
}

function dropFirst(map: Map<string, unknown>, maximum: number): void {
  const first = map.keys().next();
  if (map.size > maximum && first.done !== true) map.delete(first.value);
}
