import type { FastifyInstance } from 'fastify';
import { displayNameKey } from '../lib/site-name.ts';
import { demoRegionSite, demoSites } from './demo-data.ts';
import type { DemoSite } from './demo-data.ts';

const logosPath = '/dev/logos';

export function demoLogoPath(site: string): string {
  return `${logosPath}/${site}.svg`;
}

/** The display columns of a demo site's row. */
export function displayed({ name, displayName }: DemoSite) {
  return {
    display_name: displayName,
    display_name_key: displayNameKey(displayName),
    logo_path: demoLogoPath(name),
  };
}

/** Serves the logos of the demo sites. */
export function registerDemoLogos(app: FastifyInstance): void {
  for (const site of [...demoSites, demoRegionSite]) {
    const logo = drawLogo(site);
    app.get(demoLogoPath(site.name), (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'max-age=3600').send(logo),
    );
  }
}

function drawLogo({ logo: { background, ink, line } }: DemoSite): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><path fill="${background}" d="M0 0h96v96H0z"/><path d="${line}" fill="none" stroke="${ink}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}
