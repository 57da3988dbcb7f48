/** The product's name: a name, so the same in every language. */
export const productName = 'Anteroom';
