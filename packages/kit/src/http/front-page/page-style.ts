/** The style sheet of the page. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f7f6f3; --surface: #fff; --sunken: #f2f0eb; --line: #e3e0d8;
  --ink: #1d1c1a; --soft: #605c54; --accent: #3a46b8; --accent-ink: #fff;
  --good: #17693f; --good-back: #e2f3e8; --some: #7a5200; --some-back: #fbeed2;
  --quiet-back: #efede8; --bad: #a3221c; --bad-back: #fdecea; --bad-line: #f0b9b4;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace;
  --sans: system-ui, -apple-system, "Segoe UI", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121214; --surface: #1a1a1d; --sunken: #222226; --line: #2e2e34;
    --ink: #ececee; --soft: #a6a5ad; --accent: #a9b2ff; --accent-ink: #14152b;
    --good: #7fd6a2; --good-back: #16301f; --some: #eac26b; --some-back: #33280f;
    --quiet-back: #28282d; --bad: #ff9d94; --bad-back: #341614; --bad-line: #6d2b26;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 var(--sans); }
h1, h2, p, ul, pre { margin: 0; }
ul { padding: 0; list-style: none; }
code, pre { font-family: var(--mono); font-size: .875em; }
a { color: var(--accent); text-underline-offset: .25em; text-decoration-thickness: 1px; text-decoration-color: color-mix(in srgb, currentcolor 35%, transparent); overflow-wrap: anywhere; }
a:hover { text-decoration-color: currentcolor; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1rem; padding-top: 3rem; padding-bottom: 1.75rem; }
.mark { display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: .75rem; background: var(--accent); color: var(--accent-ink); font-weight: 650; font-size: 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.2; letter-spacing: -.015em; overflow-wrap: anywhere; }
.version { color: var(--soft); font-size: .875rem; }
.who { margin-left: auto; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; font-size: .875rem; color: var(--soft); }
.who strong { color: var(--ink); font-weight: 550; overflow-wrap: anywhere; }
main { display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: 1.25rem; align-items: start; }
.column { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1.25rem; align-items: start; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: .875rem; padding: 1.25rem 1.5rem; }
.wide { grid-column: 1 / -1; }
.panel > h2 { font-size: 1rem; font-weight: 600; letter-spacing: -.005em; margin-bottom: .625rem; }
.count { color: var(--soft); font-weight: 400; margin-left: .25rem; }
.panel[hidden] { display: none; }
.address { font-family: var(--mono); font-size: 1.0625rem; overflow-wrap: anywhere; }
.code { position: relative; margin-top: .875rem; }
.code pre { background: var(--sunken); border-radius: .625rem; padding: 1rem 1.125rem; line-height: 1.65; white-space: pre-wrap; overflow-wrap: anywhere; }
.code button { position: absolute; top: .625rem; right: .625rem; }
button { font: inherit; font-size: .875rem; color: var(--ink); background: var(--surface); border: 1px solid var(--line); border-radius: .5rem; padding: .3rem .7rem; cursor: pointer; }
button:hover { border-color: var(--soft); }
.rows > li { display: flex; flex-wrap: wrap; align-items: baseline; gap: .125rem .75rem; padding: .5rem 0; border-top: 1px solid var(--line); }
.name:has(+ .note + .badge) { min-width: 8.5rem; }
.rows > li:first-child { border-top: 0; padding-top: .25rem; }
.rows > li:last-child { padding-bottom: 0; }
.name { font-family: var(--mono); font-size: .875rem; overflow-wrap: anywhere; }
.note { color: var(--soft); font-size: .8125rem; }
.badge { margin-left: auto; font-size: .75rem; font-weight: 550; padding: .1rem .55rem; border-radius: 1rem; white-space: nowrap; background: var(--quiet-back); color: var(--soft); }
.badge.good { background: var(--good-back); color: var(--good); }
.badge.some { background: var(--some-back); color: var(--some); }
.method { font-family: var(--mono); font-size: .75rem; color: var(--soft); min-width: 3.25rem; }
.people { display: grid; gap: .5rem; }
.people button { display: block; width: 100%; text-align: left; padding: .5rem .75rem; overflow-wrap: anywhere; }
.people button[aria-pressed="true"] { border-color: var(--accent); box-shadow: inset 3px 0 0 var(--accent); }
.people .note { display: block; }
.notice { color: var(--bad); font-size: .875rem; margin-top: .5rem; }
.notice:empty { display: none; }
.links { display: grid; gap: .3rem; }
.guide { columns: 7.5rem; column-gap: 1rem; font-size: .875rem; }
.guide li { break-inside: avoid; padding: .15rem 0; }
.mistake { background: var(--bad-back); border-color: var(--bad-line); }
.mistake > h2 { color: var(--bad); }
.mistake pre { color: var(--ink); white-space: pre-wrap; overflow-wrap: anywhere; margin-bottom: .75rem; }
footer { padding-top: 1.5rem; padding-bottom: 3rem; color: var(--soft); font-size: .8125rem; }
@media (max-width: 52rem) {
  main { grid-template-columns: minmax(0, 1fr); }
  header { padding-top: 1.75rem; padding-bottom: 1.25rem; }
  header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  .who { margin-left: 0; width: 100%; justify-content: space-between; }
  .panel { padding: 1rem; }
  .column { display: contents; }
  .wide { order: -2; }
  .people-panel, .notice { order: -1; }
  .code pre { padding-top: 3.25rem; }
  .name:has(+ .note + .badge) { min-width: 0; }
  .who button { margin-left: auto; }
}
`
