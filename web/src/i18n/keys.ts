import type english from '../../public/assets/i18n/en-1.21.0.json';

/** The paths to the texts of a locale file; an object with the member `other` is one text in its plural forms. */
type PathsOf<Node> = {
  [Name in keyof Node & string]: Node[Name] extends string | { other: string }
    ? Name
    : `${Name}.${PathsOf<Node[Name]>}`;
}[keyof Node & string];

/** Every key there is, read from the English file when the sources are checked. */
export type MessageKey = PathsOf<typeof english>;

export interface MessageTree {
  readonly [name: string]: string | MessageTree;
}
