import { isValidElement } from 'react';
import { describe, expect, test } from 'vitest';
import { splitRichText } from './rich-text.tsx';

const nodesOf = (text: string, parts: Parameters<typeof splitRichText>[1]): unknown[] =>
  splitRichText(text, parts).map(({ node }) => node);

describe('a text with elements', () => {
  test('is split at its placeholders, in order', () => {
    const site = <bdi>Harbor</bdi>;
    const name = <bdi>Ada</bdi>;
    expect(nodesOf('Sign in to {{site}} as {{name}}.', { site, name })).toEqual([
      'Sign in to ',
      site,
      ' as ',
      name,
      '.',
    ]);
  });

  test('isolates a part that is a string', () => {
    const harbor = <bdi translate="no">Harbor</bdi>;
    expect(nodesOf('Sign in to {{site}}', { site: 'Harbor' })).toEqual(['Sign in to ', harbor]);
  });

  test('does not parse an inserted value', () => {
    const nodes = nodesOf('Sign in to {{site}}', {
      site: <bdi>{'{{name}}'}</bdi>,
      name: 'Ada',
    });
    expect(nodes).toHaveLength(2);
    expect(isValidElement(nodes[1])).toBe(true);
  });
});
