/** The stylesheet of the reference: one column of text, an index beside it where there is room. */
export const STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fcfcfa, #15171a);
  --raised: light-dark(#f3f3ef, #1e2125);
  --ink: light-dark(#23262b, #dfe1e4);
  --quiet: light-dark(#5c626b, #9aa1ab);
  --line: light-dark(#dedfd9, #31353b);
  --accent: light-dark(#22577a, #8fc1e3);
  --get: light-dark(#2b6350, #86c5ac);
  --post: light-dark(#22577a, #8fc1e3);
  --put: light-dark(#80560e, #dcb56b);
  --delete: light-dark(#97352f, #eb9d94);
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace;
}

* { box-sizing: border-box; }

html {
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif;
  text-size-adjust: 100%;
  scroll-padding-top: 1.5rem;
}

body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 4rem; overflow-wrap: break-word; }

h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0; font-size: 1.6rem; letter-spacing: -0.01em; }
h1 span { font-weight: 400; color: var(--quiet); }
h2 { margin: 0 0 0.75rem; font-size: 1.25rem; letter-spacing: -0.005em; }
h3 { margin: 0; font-size: 0.9375rem; font-weight: 500; }
h4 { margin: 1.5rem 0 0.5rem; font-size: 0.875rem; font-weight: 600; }
p { margin: 0 0 0.75rem; max-width: 42rem; }
ul { margin: 0 0 0.75rem; padding-left: 1.25rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
a:focus-visible, summary:focus-visible, pre:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
  border-radius: 3px;
}
code, pre { font-family: var(--mono); font-size: 0.875em; }
code { overflow-wrap: anywhere; }
pre {
  margin: 0 0 1rem;
  padding: 0.75rem 1rem;
  overflow-x: auto;
  background: var(--raised);
  border-radius: 6px;
  line-height: 1.5;
}
pre code { font-size: 0.8125rem; overflow-wrap: normal; }

.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.25rem 0.5rem; }

header { padding: 2.5rem 0 1.25rem; }
header p { margin: 0.25rem 0 0; color: var(--quiet); }

nav { font-size: 0.875rem; border-block: 1px solid var(--line); padding: 0.75rem 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul { display: flex; flex-wrap: wrap; gap: 0 1rem; }
nav > ul + ul { margin-top: 0.5rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
nav > ul ul { display: none; }
nav a { display: inline-block; padding: 0.2rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }

section { padding-top: 2.5rem; }

details { border-top: 1px solid var(--line); }
section > details:last-child { border-bottom: 1px solid var(--line); }
summary {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  column-gap: 1rem;
  padding: 0.6rem 0;
  cursor: pointer;
  list-style: none;
}
summary::after {
  content: "+" / "";
  grid-area: 1 / 2;
  width: 1rem;
  text-align: center;
  font-family: var(--mono);
  color: var(--quiet);
}
details[open] > summary::after { content: "\\2212" / ""; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--raised); }
.about { grid-column: 1; color: var(--quiet); font-size: 0.9375rem; }
.scopes { white-space: nowrap; font: 0.8125rem/1.6 var(--mono); }
.path { font-size: 0.9375rem; }
.method { font: 600 0.75rem/1 var(--mono); letter-spacing: 0.02em; }
.get { color: var(--get); }
.post { color: var(--post); }
.put, .patch { color: var(--put); }
.delete { color: var(--delete); }
.detail { padding: 0.25rem 0 1.5rem; scroll-margin-top: 5rem; }

.fields, .variants { list-style: none; margin: 0 0 0.5rem; padding: 0; }
.fields .fields, .fields .variants, .variants .fields, .variants .variants, .tree > .variants {
  margin: 0.25rem 0 0.5rem;
  padding-left: 0.75rem;
  border-left: 1px solid var(--line);
}
.fields > li, .variants > li { padding: 0.2rem 0; }
.field { margin: 0; max-width: none; }
.tree > .field:has(+ .fields) { display: none; }
.name { font-weight: 600; }
.type { font-size: 0.875rem; color: var(--quiet); }
.type a { color: var(--accent); }
.literal { color: var(--ink); }
.flag { font-size: 0.8125rem; font-weight: 400; font-style: italic; color: var(--quiet); }
.note { margin: 0; font-size: 0.875rem; color: var(--quiet); }
.note:empty { display: none; }
.rules { display: block; }
.rules code { font-size: 0.8125rem; }

.status { font: 600 0.875rem/1.6 var(--mono); }
.answer { margin-bottom: 0.75rem; }
.answer > p { margin-bottom: 0.25rem; }
.refusals { list-style: none; padding: 0; font-size: 0.875rem; }
.refusals > li { display: flex; gap: 0.75rem; padding: 0.1rem 0; }
.refusals p { margin: 0; }
.refusals ul { margin: 0; padding: 0; list-style: none; }
.refusals a { color: inherit; }

table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-weight: 600; color: var(--quiet); }
tbody th { font-weight: 500; }
tr:target { background: var(--raised); }

@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; }
  table, tbody, tr, th, td { display: block; }
  tr { padding: 0.5rem 0; border-top: 1px solid var(--line); }
  th, td { padding: 0; border: 0; }
  td[data-label] { display: inline-block; margin-right: 1rem; color: var(--quiet); }
  td[data-label]::before { content: attr(data-label) " "; }
}

@media (min-width: 62rem) {
  body:has(> nav) {
    display: grid;
    grid-template-columns: 17rem minmax(0, 1fr);
    grid-template-areas: "header header" "nav main";
    column-gap: 3.5rem;
    padding-inline: 2rem;
  }
  header { grid-area: header; padding: 3rem 0 1.5rem; border-bottom: 1px solid var(--line); }
  main { grid-area: main; }
  nav {
    grid-area: nav;
    position: sticky;
    top: 0;
    align-self: start;
    max-height: 100vh;
    overflow-y: auto;
    scrollbar-width: thin;
    padding: 2rem 0 3rem;
    border: 0;
  }
  nav > ul { display: block; }
  nav > ul + ul { margin-top: 1rem; padding-top: 1rem; }
  nav > ul > li > a { font-weight: 500; }
  nav > ul ul { display: block; margin-bottom: 0.75rem; }
  nav > ul ul a { display: block; color: var(--quiet); font-size: 0.8125rem; padding: 0.1rem 0; }
  nav > ul ul a:has(.method) { display: grid; grid-template-columns: 3.4rem 1fr; align-items: baseline; }
  nav > ul ul .method { font-size: 0.6875rem; }
  tbody th code { white-space: nowrap; }
}

@media print {
  nav, .skip { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
