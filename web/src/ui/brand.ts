interface Brand {
  /** A name, so the same in every language. */
  productName: string;
  /** Its picture, as large as it is shown; undefined: none, because Anteroom's mark does not belong to another name. */
  logo: 'mark' | { src: string; width: number; height: number } | undefined;
}

/** Whose sign-in this is: the product's, unless the application that asked has a brand of its own; settled before anything is drawn. */
export const brand: Brand = { productName: 'Anteroom', logo: 'mark' };
