import type english from '../../public/assets/i18n/en-1.21.0.json';

/** The key paths of a locale file. An object with the member `other` is one text with its plural forms. */
export type PathsOf<Node> = {
  [Name in keyof Node & string]: Node[Name] extends string | { other: string }
    ? Name
    : `${Name}.${PathsOf<Node[Name]>}`;
}[keyof Node & string];

/** All keys, derived from the English file at compile time. */
export type MessageKey = PathsOf<typeof english>;

export interface MessageTree {
  readonly [name: string]: string | MessageTree;
}
