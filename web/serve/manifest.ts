/** One file of the build, by its path below `/ui/`. */
export interface ManifestFile {
  path: string;
  contentType: string;
  bytes: number;
  /** `sha256-…`, as in Subresource Integrity. */
  integrity: string;
  /** The compressed versions of the file, stored as `<path>.br` and `<path>.gz`. */
  encodings: readonly ('br' | 'gzip')[];
  /** True if the file name contains a hash of the content, so that browsers can cache the file for ever. */
  isImmutable: boolean;
}

/** Describes the build to the server that serves it (`manifest.json`). */
export interface Manifest {
  version: string;
  contractVersion: string;
  /** Paths below `/ui/` for which the server returns the page. */
  routes: readonly string[];
  files: readonly ManifestFile[];
}
