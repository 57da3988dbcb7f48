import { isValidElement } from 'react';
import { describe, expect, test } from 'vitest';
import { splitRichText } from './rich-text.tsx';

const nodesOf = (text: string, parts: Parameters<typeof splitRichText>[1]): unknown[] =>
  splitRichText(text, parts).map(({ node }) => node);

describe('a text with elements in it', () => {
  test('is cut at its placeholders and tags, in their order', () => {
    const site = <bdi>Harbor</bdi>;
    expect(
      nodesOf('Sign in to {{site}} or <link>ask</link>.', { site, link: (text) => `[${text}]` }),
    ).toEqual(['Sign in to ', site, ' or ', '[ask]', '.']);
  });

  test('shows the words of a tag that nobody draws', () => {
    expect(nodesOf('<link>ask</link> us', {})).toEqual(['ask', ' us']);
  });

  test('never reads a name as one of its parts', () => {
    const nodes = nodesOf('Sign in to {{site}}', {
      site: <bdi>{'<link>x</link>'}</bdi>,
      link: () => 'drawn',
    });
    expect(nodes).toHaveLength(2);
    expect(isValidElement(nodes[1])).toBe(true);
  });
});
