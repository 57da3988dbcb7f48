/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The surfaces behind the accent in a colour scheme, as in `ui/tokens.css`; a test compares the two. */
export interface Scheme {
  surface: Colour;
  surfaces: readonly Colour[];
  /** The colour towards which an accent is mixed to increase its contrast with the surfaces. */
  away: Colour;
}

const white: Colour = [255, 255, 255];
const black: Colour = [0, 0, 0];

export const schemes: Readonly<Record<'light' | 'dark', Scheme>> = {
  light: schemeOf(white, [0xf4, 0xf1, 0xea]),
  dark: schemeOf([0x17, 0x1e, 0x2b], [0x0c, 0x11, 0x1a], [0x21, 0x2a, 0x3a]),
};

export function schemeOf(surface: Colour, ...others: readonly Colour[]): Scheme {
  const away = contrastOf(surface, white) > contrastOf(surface, black) ? white : black;
  return { surface, surfaces: [surface, ...others], away };
}

/** Parses only `#rrggbb`, so that no other text reaches a style. */
export function parseColour(text: string | undefined): Colour | undefined {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '');
  if (!found) return undefined;
  const [, red = '', green = '', blue = ''] = found;
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}

export function formatColour(colour: Colour): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio" and "relative luminance"). */
export function contrastOf(one: Colour, other: Colour): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes two colours; `part` is the share of `other`, 0 to 1. */
function mix(colour: Colour, other: Colour, part: number): Colour {
  const channel = (index: 0 | 1 | 2): number =>
    Math.round(colour[index] + (other[index] - colour[index]) * part);
  return [channel(0), channel(1), channel(2)];
}

/** Text needs 4.5:1 (WCAG 2.2, 1.4.3). Rings and edges, which need 3:1, use the same colour. */
const neededContrast = 4.5;

export interface Accent {
  accent: Colour;
  accentStrong: Colour;
  accentSoft: Colour;
  onAccent: Colour;
}

/**
 * The accent for a scheme: the requested colour, changed only as much as the contrast of links, buttons and rings
 * requires.
 */
export function accentFor(requested: Colour, { surface, surfaces, away }: Scheme): Accent {
  for (let part = 0; ; part += 0.02) {
    const accent = mix(requested, away, Math.min(1, part));
    const accentSoft = mix(surface, accent, 0.1);
    const isReadable = [...surfaces, accentSoft].every(
      (ground) => contrastOf(accent, ground) >= neededContrast,
    );
    if (!isReadable && part < 1) continue;
    const onAccent = contrastOf(accent, white) >= contrastOf(accent, black) ? white : black;
    return { accent, accentStrong: mix(accent, away, 0.25), accentSoft, onAccent };
  }
}
