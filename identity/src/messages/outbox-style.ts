/** Light and dark styles with the product's colours; the contrast is at least 4.5:1. */
export const outboxStyle = `
:root {
  color-scheme: light dark;
  --paper: #f4f1ea; --surface: #fff; --ink: #141b2b; --ink-soft: #4d5668; --line: #e4dfd5; --accent: #14505c; --accent-soft: #e8f1f1;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #0c111a; --surface: #171e2b; --ink: #eef0f4; --ink-soft: #b2bac8; --line: #2e384a; --accent: #86cdd6; --accent-soft: #1d333c; }
}
* { box-sizing: border-box; margin: 0; }
body {
  background: var(--paper); color: var(--ink); line-height: 1.5;
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
}
main { max-inline-size: 44rem; margin-inline: auto; padding: 48px 20px; }
main > header { margin-block-end: 32px; }
[data-news] { color: var(--accent); font-weight: 600; }
[data-offline] .state { display: none; }
[data-offline] main > header::after { content: 'No connection to the service. The page tries again.'; display: block; margin-block-start: 8px; }
h1 { font-size: 1.625rem; font-weight: 600; line-height: 1.25; }
main > header p { color: var(--ink-soft); margin-block-start: 8px; }
ol { list-style: none; padding: 0; display: grid; gap: 16px; overflow-anchor: none; }
article, .empty { background: var(--surface); border: 1px solid var(--line); border-radius: 16px; padding: 20px 24px; }
article header { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; color: var(--ink-soft); font-size: 0.875rem; }
.kind { color: var(--accent); font-weight: 600; }
.to { overflow-wrap: anywhere; }
time { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
h2 { font-size: 1.125rem; font-weight: 600; margin-block-start: 12px; }
.code { margin-block-start: 12px; }
.code code {
  display: inline-block; background: var(--accent-soft); color: var(--accent); border-radius: 8px; padding: 8px 16px;
  font: 600 1.625rem/1.25 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; letter-spacing: 0.12em; user-select: all;
}
.text { margin-block-start: 12px; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
@media (max-width: 440px) { main { padding: 24px 16px; } article, .empty { padding: 16px; } time { margin-inline-start: 0; } }
`;
