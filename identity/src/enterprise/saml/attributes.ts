import { assertionNamespace } from './vocabulary.ts';
import { childrenOf, findText } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** The attributes of the assertion by name. A map, so that `__proto__` is an ordinary name. */
export function readAttributes(assertion: XmlElement): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const statement of childrenOf(assertion, assertionNamespace, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, assertionNamespace, 'Attribute')) {
      const name = attribute.attributes.get('Name');
      const value = findFirstText(attribute);
      // only the first attribute of a name counts
      if (name !== undefined && value !== undefined && !attributes.has(name)) attributes.set(name, value);
    }
  }
  return attributes;
}

function findFirstText(attribute: XmlElement): string | undefined {
  for (const value of childrenOf(attribute, assertionNamespace, 'AttributeValue')) {
    const text = findText(value)?.trim();
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}
