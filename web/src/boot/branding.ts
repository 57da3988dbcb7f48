import { productNameMaximumLength } from '@anteroom/contract';
import type { Branding } from '@anteroom/contract';
import { findSafeAddress } from '../addresses.ts';
import { brand } from '../ui/brand.ts';
import { accentFor, formatColour, parseColour, schemeOf, schemes } from './accent.ts';
import type { Accent, Scheme } from './accent.ts';

/** How long loading a logo can delay the first screen. */
const logoTimeoutMs = 1500;
/**
 * The maximum size in CSS pixels. It is higher than the product's mark, because many logos have text below their
 * symbol.
 */
const logoMaximumPixels = { width: 128, height: 32 };

/**
 * Applies the branding of the requesting application. Invalid parts are skipped individually. Colours are set through
 * the style object, because the content security policy forbids style attributes.
 */
export async function applyBranding({ productName, logoUrl, accentColour }: Branding): Promise<void> {
  const name = productName?.trim();
  if (name) {
    brand.productName = name.slice(0, productNameMaximumLength);
    brand.logo = undefined;
  }
  const wished = parseColour(accentColour);
  if (wished) {
    const [light, dark] = [accentFor(wished, findScheme('light')), accentFor(wished, findScheme('dark'))];
    setColour('--accent', light, dark, 'accent');
    setColour('--accent-strong', light, dark, 'accentStrong');
    setColour('--accent-soft', light, dark, 'accentSoft');
    setColour('--on-accent', light, dark, 'onAccent');
  }
  const logo = findSafeAddress(logoUrl);
  if (logo !== undefined) brand.logo = (await findLogo(logo)) ?? brand.logo;
}

/** The surfaces of a colour scheme in the page's own styles, which a theme can change (`web/theme/`). */
function findScheme(name: keyof typeof schemes): Scheme {
  const [all] = document.styleSheets;
  const dark = [...(all?.cssRules ?? [])].find(
    (rule) => rule instanceof CSSMediaRule && rule.conditionText.includes('color-scheme'),
  ) as CSSMediaRule | undefined;
  const rule = (name === 'dark' ? dark : all)?.cssRules[0];
  const [surface, ...others] = ['surface', 'paper', 'raised'].map((token) =>
    parseColour(
      (rule as CSSStyleRule | undefined)?.style
        .getPropertyValue(`--${token}`)
        .trim()
        .replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'),
    ),
  );
  return surface ? schemeOf(surface, ...others.filter((colour) => colour !== undefined)) : schemes[name];
}

function setColour(property: string, light: Accent, dark: Accent, part: keyof Accent): void {
  const value = `light-dark(${formatColour(light[part])}, ${formatColour(dark[part])})`;
  document.documentElement.style.setProperty(property, value);
}

/**
 * The logo, if it loads in time and is an image. Its size is known before the card is rendered, so that nothing shifts.
 */
async function findLogo(address: string): Promise<Exclude<typeof brand.logo, 'mark'>> {
  const image = new Image();
  image.src = address;
  const loaded = image.decode().then(
    () => sizeOf(image),
    () => undefined,
  );
  const tooLate = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), logoTimeoutMs));
  return Promise.race([loaded, tooLate]);
}

/** Scales the logo to fit the card's header; an image without intrinsic size becomes a square. */
function sizeOf({ src, naturalWidth, naturalHeight }: HTMLImageElement): Exclude<typeof brand.logo, 'mark'> {
  const proportion = naturalWidth > 0 && naturalHeight > 0 ? naturalWidth / naturalHeight : 1;
  const width = Math.min(logoMaximumPixels.width, logoMaximumPixels.height * proportion);
  return { src, width: Math.round(width), height: Math.round(width / proportion) };
}
