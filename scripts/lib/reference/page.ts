/**
 * Renders the API reference from the OpenAPI document alone: plain HTML and one stylesheet.
 *
 * The page runs no script and loads nothing from other origins, so its content policy (`REFERENCE_POLICY`) forbids both.
 * A link to an operation targets an element inside its `<details>`, because browsers then open the `<details>`.
 */
import type { OpenApiDocument, Operation } from '../../../src/http/openapi/document.ts';
import { GUIDE, type Section } from '../../../src/http/openapi/guide.ts';
import { html, inline, type Content, type Markup } from './html.ts';
import { operationEntry } from './operation.ts';
import { schemaTree } from './schema-tree.ts';

const DESCRIPTION =
  'Every request of the Holdpoint API with its parameters, answers, errors and an example: ask a person, wait for the answer, follow the log.';

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function renderPage(document: OpenApiDocument): string {
  const listed = listOperations(document);
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: `tag-${tag.name.toLowerCase().replaceAll(' ', '-')}`,
    operations: listed.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${DESCRIPTION}">
<title>${document.info.title} API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<h1>${document.info.title} <span>API reference</span></h1>
<p>${document.info.summary} Version ${document.info.version}, also as <a href="/openapi.json">openapi.json</a>.</p>
</header>
<nav aria-label="Contents">
<ul>
${GUIDE.map(({ id, title }) => link(id, title))}
</ul>
<ul>
${groups.map((group) => html`<li>${anchor(group.id, group.name)}${subList(group.operations)}</li>`)}
</ul>
<ul>
${link('errors', 'Error codes')}
<li>${anchor('schemas', 'Schemas')}<ul>${Object.keys(document.components.schemas).map((name) => link(`schema-${name}`, name))}</ul></li>
</ul>
</nav>
<main id="content">
${GUIDE.map(guideSection)}
${groups.map(
  (group) => html`<section id="${group.id}" aria-labelledby="${group.id}-title">
<h2 id="${group.id}-title">${group.name}</h2>
<p>${inline(group.description)}</p>
${group.operations.map(({ method, path, operation }) => operationEntry(method, path, operation, document))}
</section>
`,
)}
${errorsSection(document)}
${schemasSection(document)}
</main>
</body>
</html>
`;
  return page.markup;
}

function listOperations(document: OpenApiDocument): readonly Listed[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
}

function anchor(id: string, text: Content): Markup {
  return html`<a href="#${id}">${text}</a>`;
}

function link(id: string, text: Content): Markup {
  return html`<li>${anchor(id, text)}</li>`;
}

function subList(operations: readonly Listed[]): Markup {
  const items = operations.map(({ method, path, operation }) =>
    link(
      operation.operationId,
      html`<span class="method ${method}">${method.toUpperCase()}</span> ${shortened(path)}`,
    ),
  );
  return html`<ul>${items}</ul>`;
}

/** Enough of a path to tell it from its neighbors. */
function shortened(path: string): string {
  return path.replace(/^\/v1(?=\/)/, '').replace(/\/sessions\/\{id\}(?=\/)/, '…');
}

function guideSection({ id, title, paragraphs, code }: Section): Markup {
  const example =
    code === undefined ? undefined : html`<pre tabindex="0"><code>${code}</code></pre>`;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${paragraphs.map((text) => html`<p>${inline(text)}</p>`)}
${example}
</section>
`;
}

/** Sets explicit roles, because a narrow screen lays the table out as blocks. */
function errorsSection(document: OpenApiDocument): Markup {
  const rows = Object.entries(document['x-errors']).map(
    ([code, { status, retry, close, meaning }]) => html`<tr role="row" id="error-${code}">
<th role="rowheader" scope="row"><code>${code}</code></th><td role="cell" data-label="Status">${status}</td><td role="cell" data-label="Retry">${retry}</td><td role="cell" data-label="Close">${close}</td><td role="cell">${inline(meaning)}</td>
</tr>
`,
  );
  return html`<section id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Error codes</h2>
<table role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Code</th><th role="columnheader" scope="col">Status</th><th role="columnheader" scope="col">Retry</th><th role="columnheader" scope="col">Close</th><th role="columnheader" scope="col">Meaning</th></tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>
</section>
`;
}

function schemasSection(document: OpenApiDocument): Markup {
  const entries = Object.entries(document.components.schemas).map(
    ([name, schema]) => html`<details class="schema">
<summary><h3><code>${name}</code></h3></summary>
<div class="detail" id="schema-${name}">${schemaTree(schema)}</div>
</details>
`,
  );
  return html`<section id="schemas" aria-labelledby="schemas-title">
<h2 id="schemas-title">Schemas</h2>
<p>Fields are required unless they are marked optional.</p>
${entries}
</section>
`;
}
