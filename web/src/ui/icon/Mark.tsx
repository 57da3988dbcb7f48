import type { ReactNode } from 'react';

/**
 * The product's mark: two panels, one of them ajar, and the light that falls between them. The panels take the colour of the
 * text; the light is the only thing here that has a colour of its own, and the mark reads without it.
 * index.html and favicon.svg hold the same shapes.
 */
export function Mark({ className }: { className?: string | undefined }): ReactNode {
  return (
    <svg className={className} viewBox="2 2 20 20" aria-hidden="true">
      <path
        fill="currentColor"
        d="M2 4.5A2.5 2.5 0 0 1 4.5 2H10v20H4.5A2.5 2.5 0 0 1 2 19.5ZM14.4 2h5.1A2.5 2.5 0 0 1 22 4.5v15a2.5 2.5 0 0 1-2.5 2.5H18Z"
      />
      <path fill="var(--glow)" d="M11.4 2H13l3.6 20h-5.2Z" />
    </svg>
  );
}
