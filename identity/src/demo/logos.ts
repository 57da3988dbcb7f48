import type { FastifyInstance } from 'fastify';
import { demoRegionSite, demoSites } from './demo-data.ts';
import type { DemoSite } from './demo-data.ts';

const logosPath = '/dev/logos';

/** The address of a demo site's logo, as the site list carries it. */
export function demoLogoPath(site: string): string {
  return `${logosPath}/${site}.svg`;
}

/** The logos of the demo sites, drawn from two colours and a letter. */
export function registerDemoLogos(app: FastifyInstance): void {
  for (const site of [...demoSites, demoRegionSite]) {
    const logo = drawLogo(site);
    app.get(demoLogoPath(site.name), (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'max-age=3600').send(logo),
    );
  }
}

function drawLogo({ logo: { background, ink, letter } }: DemoSite): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><rect width="96" height="96" rx="20" fill="${background}"/><path d="M16 74h64" stroke="${ink}" stroke-width="4" stroke-linecap="round" opacity=".6"/><text x="48" y="60" fill="${ink}" font-family="system-ui,sans-serif" font-size="46" font-weight="600" text-anchor="middle">${letter}</text></svg>`;
}
