// npm run gallery: shows every state of every screen and every e-mail, in a page with links and menus. GALLERY_PORT sets a fixed port.
import { startGallery } from '@anteroom/testkit/gallery/gallery';
import { buildFrontEndWhenStale } from './front-end.ts';

await buildFrontEndWhenStale();
const gallery = await startGallery(Number(process.env['GALLERY_PORT'] ?? 0));
process.stdout.write(`The gallery is open at ${gallery.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void gallery.close().then(() => process.exit(0));
  });
