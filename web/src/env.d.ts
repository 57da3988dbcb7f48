/** The product's version, from package.json; the build writes it in. */
declare const __ANTEROOM_VERSION__: string;
