import { assertionNamespace } from './vocabulary.ts';
import { childrenOf, findText } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** What the identity provider says of the person, by the attributes' names: a map, in which `__proto__` is a name like any other. */
export function readAttributes(assertion: XmlElement): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const statement of childrenOf(assertion, assertionNamespace, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, assertionNamespace, 'Attribute')) {
      const name = attribute.attributes.get('Name');
      const value = findFirstText(attribute);
      // the first one counts: a second one of that name cannot take its place
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
