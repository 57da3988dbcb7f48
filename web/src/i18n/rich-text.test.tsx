import { isValidElement } from 'react';
import { describe, expect, test } from 'vitest';
import { splitRichText } from './rich-text.tsx';

const nodesOf = (text: string, parts: Parameters<typeof splitRichText>[1]): unknown[] =>
  splitRichText(text, parts).map(({ node }) => node);

describe('a text with elements', () => {
  test('is split at its placeholders and tags, in order', () => {
    const site = <bdi>Harbor</bdi>;
    expect(
      nodesOf('Sign in to {{site}} or <link>ask</link>.', { site, link: (text) => `[${text}]` }),
    ).toEqual(['Sign in to ', site, ' or ', '[ask]', '.']);
  });

  test('isolates a part that is a string', () => {
    const harbor = <bdi translate="no">Harbor</bdi>;
    expect(nodesOf('Sign in to {{site}}', { site: 'Harbor' })).toEqual(['Sign in to ', harbor]);
  });

  test('shows the text of a tag without a renderer', () => {
    expect(nodesOf('<link>ask</link> us', {})).toEqual(['ask', ' us']);
  });

  test('does not parse an inserted value', () => {
    const nodes = nodesOf('Sign in to {{site}}', {
      site: <bdi>{'<link>x</link>'}</bdi>,
      link: () => 'drawn',
    });
    expect(nodes).toHaveLength(2);
    expect(isValidElement(nodes[1])).toBe(true);
  });
});
