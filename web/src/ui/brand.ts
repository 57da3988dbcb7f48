interface Brand {
  /** The product name, the same in every language. */
  productName: string;
  /** The logo in its displayed size. Undefined: no logo, because Anteroom's mark does not fit another product name. */
  logo: 'mark' | { src: string; width: number; height: number } | undefined;
}

/** The settings that a theme has written into the HTML (`web/theme/`). In the build there is no document. */
const { product, logo } = globalThis.document?.documentElement.dataset ?? {};

/**
 * The branding of the page: the default, that of a theme, or that of the requesting application. Set before the first
 * render.
 */
export const brand: Brand = {
  productName: product ?? 'Anteroom',
  logo: logo ? (JSON.parse(logo) as Brand['logo']) : product ? undefined : 'mark',
};
