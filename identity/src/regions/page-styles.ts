import { createHash } from 'node:crypto';

/**
 * Whoever has no script stands on the pages between two regions until they go on: figures and colours are those of the front end
 * (`web/src/ui/tokens.css`). They stand in the page, so that nobody who is gone at once has waited for them.
 */
export const pageStyles = `
:root{color-scheme:light dark;--paper:#f4f1ea;--surface:#fff;--ink:#141b2b;--ink-soft:#4d5668;--accent:#14505c;--on-accent:#fff;--edge:transparent}
@media (prefers-color-scheme:dark){:root{--paper:#0c111a;--surface:#171e2b;--ink:#eef0f4;--ink-soft:#b2bac8;--accent:#86cdd6;--on-accent:#05222a;--edge:#2e384a}}
*{box-sizing:border-box}
body{margin:0;min-block-size:100vh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif}
:lang(ja) body,:lang(zh) body{line-height:1.6}
:lang(ar) body{font-size:1.0625rem;line-height:1.7}
main{inline-size:100%;max-inline-size:470px;padding:2rem;border:1px solid var(--edge);border-radius:1rem;background:var(--surface)}
h1{margin:0;font-size:1.625rem;font-weight:600;line-height:1.3}
p{margin:.5rem 0 1.5rem;color:var(--ink-soft)}
main>:last-child{margin-block-end:0}
button,a{display:inline-flex;align-items:center;min-block-size:3rem;padding:.5rem 1.5rem;border:1px solid transparent;border-radius:.5rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

/** What the content policy knows them by. */
export const pageStylesHash = `sha256-${createHash('sha256').update(pageStyles).digest('base64')}`;
