interface Brand {
  /** A name, so the same in every language. */
  productName: string;
  /** Where its picture is; undefined: our own mark. */
  logo: string | undefined;
}

/** Whose sign-in this is: the product's, unless the application that asked has a brand of its own; settled before anything is drawn. */
export const brand: Brand = { productName: 'Anteroom', logo: undefined };
