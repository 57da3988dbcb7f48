import { SamlRefusal } from './refusal.ts';

/** The fields of the POST binding. */
const postedNames = new Set(['SAMLRequest', 'SAMLResponse', 'RelayState']);
/** The parameters of the redirect binding. The first four, in this order, are signed (saml-bindings, 3.4.4.1). */
const redirectedNames = new Set(['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature']);
/**
 * More than the 80 bytes of saml-bindings, 3.4.3. The value is returned to the provider unchanged and never
 * interpreted.
 */
const longestRelayState = 512;

export type PostedMessage = { SAMLRequest?: string; SAMLResponse?: string; RelayState?: string };
/** Each parameter both raw, as the provider signed it, and decoded. */
export type RedirectedMessage = Partial<
  Record<
    'SAMLRequest' | 'SAMLResponse' | 'RelayState' | 'SigAlg' | 'Signature',
    { raw: string; value: string }
  >
>;

/** Additional parameters of providers are ignored, unless their names resemble SAML parameters. */
const lookAlike = /saml|sig|relay/i;

/**
 * Parses a form in which each field occurs once.
 * @throws `parameters`
 */
export function parsePosted(body: string): PostedMessage {
  const message: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(body)) {
    if (!requireKnown(name, name, postedNames, message)) continue;
    message[name] = value;
  }
  return requireOneKind(message);
}

/**
 * Parses a query, matching whole parameter names.
 * @throws `parameters`
 */
export function parseRedirected(query: string): RedirectedMessage {
  const message: Record<string, { raw: string; value: string }> = Object.create(null) as Record<
    string,
    { raw: string; value: string }
  >;
  for (const part of query.split('&')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0));
    if (!requireKnown(name, decode(name), redirectedNames, message)) continue;
    const raw = part.slice(at + 1);
    message[name] = { raw, value: decode(raw) };
  }
  return requireOneKind(message);
}

/**
 * Whether a name is a known parameter.
 * @throws `parameters` if the name is repeated, or resembles a known name so that another parser could confuse them
 */
function requireKnown(name: string, read: string, known: ReadonlySet<string>, message: object): boolean {
  if (known.has(name) ? name in message : lookAlike.test(read)) throw new SamlRefusal('parameters');
  return known.has(name);
}

function requireOneKind<T extends PostedMessage | RedirectedMessage>(message: T): T {
  if ((message.SAMLRequest === undefined) === (message.SAMLResponse === undefined))
    throw new SamlRefusal('parameters', 'not exactly one of SAMLRequest and SAMLResponse');
  const { RelayState: relayState } = message;
  const text = typeof relayState === 'string' ? relayState : relayState?.value;
  if (text !== undefined && text.length > longestRelayState)
    throw new SamlRefusal('parameters', 'RelayState');
  return message;
}

function decode(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch (error) {
    throw new SamlRefusal('parameters', 'not URL-encoded', { cause: error });
  }
}
