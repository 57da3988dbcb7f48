import { randomBytes } from 'node:crypto';

/** A sign-in on its way: what must come back with the answer. */
export type Flow = {
  /** Who was asked: nobody else's answer counts (RFC 9700, 4.4). */
  issuer: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  purpose: Purpose;
  /** The page of the portal that somebody set out for. */
  target?: string | undefined;
};

/** Why somebody was sent to the provider. */
export const purposes = ['sign-in', 'switch-site', 'change-password', 'elevate'] as const;
export type Purpose = (typeof purposes)[number];

export type Claims = Record<string, unknown>;

export type SignedIn = {
  claims: Claims;
  idToken: string;
  issuer: string;
  /** What has just been done, until a page has reported it. */
  done: Purpose | undefined;
};

/** One browser of the portal. */
export type PortalSession = {
  /** Several tabs may be on their way at once, each under its own state. */
  flows: Map<string, Flow>;
  signedIn: SignedIn | undefined;
};

/** A browser that is on its way more often than this has given up on the first ones. */
const maximumFlows = 10;
/** Enough for a demonstration; the one that was made first is forgotten. */
const maximumSessions = 10_000;

/** Sessions in memory: a restart forgets them, and says so kindly. */
export function createSessions() {
  const sessions = new Map<string, PortalSession>();
  return {
    find: (id: string | undefined): PortalSession | undefined =>
      id === undefined ? undefined : sessions.get(id),
    /** A new session under a new id. Call it at sign-in too, so that an id from before is worth nothing. */
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
    /** Ends the one that the provider knows by this name: its `sid`. */
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

/** Takes the flow out: its answer counts once. */
export function takeFlow({ flows }: PortalSession, state: string): Flow | undefined {
  const flow = flows.get(state);
  flows.delete(state);
  return flow;
}

function dropFirst(map: Map<string, unknown>, maximum: number): void {
  const first = map.keys().next();
  if (map.size > maximum && first.done !== true) map.delete(first.value);
}
