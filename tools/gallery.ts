// npm run gallery: every screen in each of its states and every mail, in a page of links and switches. GALLERY_PORT keeps the address from one run to the next.
import { startGallery } from '@anteroom/testkit/gallery/gallery';
import { buildFrontEndWhenStale } from './front-end.ts';

await buildFrontEndWhenStale();
const gallery = await startGallery(Number(process.env['GALLERY_PORT'] ?? 0));
process.stdout.write(`The gallery is open at ${gallery.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void gallery.close().then(() => process.exit(0));
  });
