import { createHash } from 'node:crypto';
import { ThemeError } from './theme-file.ts';

/** The logo is loaded with the first screen. */
const maximumBytes = 20_000;
/** In CSS pixels, as for the logo of an application (`boot/branding.ts`). */
const maximum = { width: 128, height: 32 };

export interface Logo {
  content: string;
  /** Below `/ui/`. Carries a hash, so that it can be cached for ever. */
  path: string;
  width: number;
  height: number;
}

/** @throws ThemeError if the content is no SVG image that is safe to serve, or does not tell its proportions */
export function parseLogo(content: string): Logo {
  const refuse = (why: string): never => {
    throw new ThemeError(`logo: ${why}`);
  };
  const [root] = /^(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->)*<svg\b[^>]*>/.exec(content) ?? [];
  if (root === undefined) return refuse('the file is no SVG image. Save the logo as SVG.');
  if (Buffer.byteLength(content) > maximumBytes)
    return refuse(`the file has more than ${maximumBytes} bytes. Simplify the drawing.`);
  // Scripts, event attributes, and references to anything but an `#id` of the file.
  const active = /<(?:script|foreignObject|!ENTITY)|\son\w+\s*=|(?:href\s*=\s*["']|url\(["']?)(?!#)/i.exec(
    content,
  );
  if (active) return refuse(`the file contains ${active[0].trim()}. Remove scripts and references to files.`);
  const number = (name: string): number =>
    Number(new RegExp(String.raw`\s${name}\s*=\s*["']([\d.]+)(?:px)?["']`).exec(root)?.[1]);
  const [, , boxWidth = Number.NaN, boxHeight = Number.NaN] =
    /\sviewBox\s*=\s*["']([^"']*)["']/
      .exec(root)?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const proportion = (number('width') || boxWidth) / (number('height') || boxHeight);
  if (!Number.isFinite(proportion) || proportion <= 0)
    return refuse('the svg element has no viewBox. Add one, such as viewBox="0 0 96 32".');
  const width = Math.min(maximum.width, maximum.height * proportion);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  return {
    content,
    path: `assets/app/logo-${hash}.svg`,
    width: Math.round(width),
    height: Math.round(width / proportion),
  };
}
