/** The page's one style sheet: light and dark, narrow and wide, on screen and on paper. It loads nothing. */

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --ink: #1a2029; --faint: #545d6b; --line: #d5dae1;
  --track: #e9ecf1; --good: #1f6fb2; --calm: #67717f; --bad: #b4451c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181e; --card: #1c222b; --ink: #e8ebf0; --faint: #a7b0bd; --line: #353e4b;
    --track: #2a323d; --good: #64aef0; --calm: #97a2b0; --bad: #f0875c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem clamp(0.75rem, 3vw, 2rem) 3rem; max-width: 72rem;
  background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.25rem; }
h2 { font-size: 1.1rem; line-height: 1.3; margin: 0 0 0.75rem; }
p { margin: 0.25rem 0; }
.verdict { font-weight: 600; font-size: 1.05rem; margin: 0.75rem 0; }
.faint { color: var(--faint); }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); margin-top: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem; min-width: 0; }
.wide { grid-column: 1 / -1; }
svg { display: block; width: 100%; height: auto; max-width: 34rem; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
svg .track { fill: var(--track); }
svg .good { fill: var(--good); } svg .calm { fill: var(--calm); } svg .bad { fill: var(--bad); }
details { margin-top: 0.75rem; }
summary { cursor: pointer; color: var(--faint); }
summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--good); outline-offset: 2px; }
.scroll { overflow-x: auto; max-height: 24rem; overflow-y: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; overflow-wrap: normal; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; }
th { white-space: nowrap; }
.runs td { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.hint { color: var(--faint); }
.option { white-space: nowrap; }
ul.groups { list-style: none; margin: 0; padding: 0; }
ul.groups > li { border-top: 1px solid var(--line); padding: 0.6rem 0; }
ul.groups > li:first-child { border-top: 0; padding-top: 0; }
code { font: 0.92em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media print {
  :root {
    --page: #ffffff; --card: #ffffff; --ink: #000000; --faint: #40464f; --line: #b5bbc4;
    --track: #e9ecf1; --good: #1f6fb2; --calm: #67717f; --bad: #b4451c;
  }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .card { break-inside: avoid; }
  .cards { display: block; } .card { margin-bottom: 0.75rem; }
  .scroll { overflow: visible; max-height: none; }
  details::details-content { content-visibility: visible; height: auto; }
}
`;
