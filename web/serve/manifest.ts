/** One file of the build, by its path below `/ui/`. */
export interface ManifestFile {
  path: string;
  contentType: string;
  bytes: number;
  /** `sha256-…`, as in Subresource Integrity. */
  integrity: string;
  /** Compressed forms that lie beside it, as `<path>.br` and `<path>.gz`. */
  encodings: readonly ('br' | 'gzip')[];
  /** Its name carries its content's hash: it may be cached for ever. */
  isImmutable: boolean;
}

/** What a server must know of the build (`manifest.json`). */
export interface Manifest {
  version: string;
  contractVersion: string;
  /** Paths below `/ui/` that the page itself answers. */
  routes: readonly string[];
  files: readonly ManifestFile[];
}
