import type { Branding } from '@anteroom/contract';
import { findSafeAddress } from '../addresses.ts';
import { brand } from '../ui/brand.ts';
import { accentFor, formatColour, parseColour, schemes } from './accent.ts';
import type { Accent } from './accent.ts';

/** How long a logo may hold up the first screen. */
const logoTimeoutMs = 1500;
/** In CSS pixels: higher than our mark, as many logos have their word below. */
const logoMaximumPixels = { width: 128, height: 32 };
/** What has room beside the links of the card's header. */
const productNameMaximumLength = 50;

/**
 * The brand of the application that asked, on everything that is drawn from now on. Each part that cannot be used is left out by itself.
 * Colours are set through the style object: the content policy allows no style attribute.
 */
export async function applyBranding({ productName, logoUrl, accentColour }: Branding): Promise<void> {
  const name = productName?.trim();
  if (name) {
    brand.productName = name.slice(0, productNameMaximumLength);
    brand.logo = undefined;
  }
  const wished = parseColour(accentColour);
  if (wished) {
    const [light, dark] = [accentFor(wished, schemes.light), accentFor(wished, schemes.dark)];
    setColour('--accent', light, dark, 'accent');
    setColour('--accent-strong', light, dark, 'accentStrong');
    setColour('--accent-soft', light, dark, 'accentSoft');
    setColour('--on-accent', light, dark, 'onAccent');
  }
  const logo = findSafeAddress(logoUrl);
  if (logo !== undefined) brand.logo = (await findLogo(logo)) ?? brand.logo;
}

function setColour(property: string, light: Accent, dark: Accent, part: keyof Accent): void {
  const value = `light-dark(${formatColour(light[part])}, ${formatColour(dark[part])})`;
  document.documentElement.style.setProperty(property, value);
}

/** The logo, when it is there in time and is a picture: its size is known before the card is drawn, so that nothing jumps. */
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

/** As large as the room in the card's header allows; a drawing without a size of its own is a square. */
function sizeOf({ src, naturalWidth, naturalHeight }: HTMLImageElement): Exclude<typeof brand.logo, 'mark'> {
  const proportion = naturalWidth > 0 && naturalHeight > 0 ? naturalWidth / naturalHeight : 1;
  const width = Math.min(logoMaximumPixels.width, logoMaximumPixels.height * proportion);
  return { src, width: Math.round(width), height: Math.round(width / proportion) };
}
