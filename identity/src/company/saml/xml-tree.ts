import { createRequire } from 'node:module';
import { SamlRefusal } from './refusal.ts';

/** A parsed element with resolved namespaces and undivided text. */
export type XmlElement = {
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a namespace, by name. */
  readonly attributes: ReadonlyMap<string, string>;
  /** All attribute values that a signature reference could take for an id, whatever their spelling and namespace. */
  readonly ids: readonly string[];
  readonly children: readonly XmlElement[];
  /** The text directly in the element. */
  readonly text: string;
};

type Node = {
  nodeType: number;
  localName: string | null;
  nodeName: string;
  namespaceURI: string | null | undefined;
  nodeValue: string | null;
  childNodes: ArrayLike<Node>;
  attributes?: ArrayLike<Node>;
};
type Parser = { parseFromString: (xml: string, type: string) => { documentElement: Node | null } };
type ParserConstructor = new (options: {
  locator: object;
  errorHandler: Record<'warning' | 'error' | 'fatalError', () => never>;
}) => Parser;

// Loaded with `require`, because importing the parser's types would add browser globals to the whole service. The
// library verifies signatures with the same parser: two parsers that read a text differently have made other libraries
// vulnerable (CVE-2025-25291).
const require = createRequire(import.meta.url);
const { DOMParser } = require('@xmldom/xmldom') as { DOMParser: ParserConstructor };

const elementNode = 1;
const textNode = 3;

/**
 * Parses a text that `requireModestMarkup` has accepted.
 * @throws SamlRefusal on any parser warning or error
 */
export function parseXml(xml: string): XmlElement {
  // the parser's message may quote the document
  const refuse = (): never => {
    throw new SamlRefusal('message_malformed', 'not well-formed');
  };
  const errorHandler = { warning: refuse, error: refuse, fatalError: refuse };
  let root: Node | null;
  try {
    // the library normalises line breaks in the same way before it verifies a signature
    const normalised = xml.replace(/\r\n?/g, '\n');
    root = new DOMParser({ locator: {}, errorHandler }).parseFromString(
      normalised,
      'text/xml',
    ).documentElement;
  } catch (error) {
    if (error instanceof SamlRefusal) throw error;
    throw new SamlRefusal('message_malformed', 'not well-formed');
  }
  if (root === null) throw new SamlRefusal('message_malformed', 'no root element');
  return toElement(root);
}

function toElement(node: Node): XmlElement {
  const children = Array.from(node.childNodes);
  if (children.some(({ nodeType }) => nodeType !== elementNode && nodeType !== textNode))
    throw new SamlRefusal('message_has_declarations');
  const attributes = Array.from(node.attributes ?? []);
  // the parser accepts undeclared prefixes
  if ([node, ...attributes].some((named) => named.nodeName.includes(':') && !named.namespaceURI))
    throw new SamlRefusal('message_malformed', 'unknown prefix');
  return {
    namespace: node.namespaceURI ?? '',
    name: node.localName ?? node.nodeName,
    attributes: new Map(
      attributes
        .filter(({ namespaceURI }) => (namespaceURI ?? '') === '')
        .map(({ nodeName, nodeValue }) => [nodeName, nodeValue ?? '']),
    ),
    ids: attributes
      .filter(({ localName, nodeName }) => /^id$/i.test(localName ?? nodeName))
      .map(({ nodeValue }) => nodeValue ?? ''),
    children: children.filter(({ nodeType }) => nodeType === elementNode).map(toElement),
    text: children
      .filter(({ nodeType }) => nodeType === textNode)
      .map(({ nodeValue }) => nodeValue ?? '')
      .join(''),
  };
}

/** The children with this name. */
export function childrenOf(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return element.children.filter((child) => child.namespace === namespace && child.name === name);
}

/** The only child with this name; undefined if there is none or several. */
export function findOnlyChild(element: XmlElement, namespace: string, name: string): XmlElement | undefined {
  const [only, ...more] = childrenOf(element, namespace, name);
  return more.length === 0 ? only : undefined;
}

/** The text of an element; undefined if it has child elements or is empty. */
export function findText(element: XmlElement | undefined): string | undefined {
  if (element === undefined || element.children.length > 0 || element.text === '') return undefined;
  return element.text;
}

/** The element and all its descendants. */
export function* descendants(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* descendants(child);
}
