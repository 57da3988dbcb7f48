/** The product version from package.json, which the build inserts. */
declare const __ANTEROOM_VERSION__: string;
