/** One operation on the page: a line of the index that opens to its full description. */
import type {
  OpenApiDocument,
  Operation,
  Parameter,
  OperationResponse,
} from '../../../src/http/openapi/document.ts';
import { curlOf } from './curl.ts';
import { type Content, html, type Markup, separated } from './html.ts';
import { inline, prose } from './prose.ts';
import { notes, schemaTree, typeOf } from './schema-tree.ts';

interface Answered {
  readonly status: string;
  readonly response: OperationResponse;
  /** Described once for all operations; an operation lists only the codes. */
  readonly isCommon: boolean;
}

export function operationEntry(
  method: string,
  path: string,
  operation: Operation,
  document: OpenApiDocument,
): Markup {
  const answers = answersOf(operation, document);
  return html`<details class="operation">
<summary><h3>${heading(method, path)}</h3> <span class="about">${inline(operation.summary)}${scopesOf(operation)}</span></summary>
<div class="detail" id="${operation.operationId}">
${prose(operation.description)}
${parametersPart(operation.parameters ?? [])}
${bodyPart(operation)}
${framesPart(operation)}
<h4>Answers</h4>
${answers.filter(isSuccess).map(successItem)}
<h4>Refusals</h4>
<ul class="refusals">${answers.filter((answer) => !isSuccess(answer)).map(refusalItem)}</ul>
<h4>Example</h4>
<pre tabindex="0"><code>${curlOf(method, path, operation)}</code></pre>
</div>
</details>
`;
}

/** A long path may wrap after a slash, and is still copied as one word. */
function heading(method: string, path: string): Markup {
  const parts = separated(path.split('/'), html`/<wbr>`);
  return html`<span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${parts}</code>`;
}

function scopesOf(operation: Operation): Content {
  const scopes = operation['x-scopes'];
  return scopes.length === 0
    ? undefined
    : html` <span class="scopes">[${scopes.join(' | ')}]</span>`;
}

function parametersPart(parameters: readonly Parameter[]): Content {
  if (parameters.length === 0) return undefined;
  return html`<h4>Parameters</h4>
<ul class="fields">${parameters.map(parameterItem)}</ul>`;
}

function parameterItem(parameter: Parameter): Markup {
  const flag = parameter.required ? undefined : html`, optional`;
  const schema = { ...parameter.schema, description: parameter.description ?? '' };
  return html`<li><p class="field"><code class="name">${parameter.name}</code> <span class="type">${typeOf(parameter.schema)}</span> <span class="flag">${parameter.in}${flag}</span></p>
${notes(schema)}</li>`;
}

function bodyPart(operation: Operation): Content {
  const body = operation.requestBody;
  const schema = body?.content['application/json']?.schema;
  if (body === undefined || schema === undefined) return undefined;
  const flag = body.required ? undefined : html` <span class="flag">optional</span>`;
  return html`<h4>Body${flag}</h4>${schemaTree(schema)}`;
}

function framesPart(operation: Operation): Content {
  const socket = operation['x-websocket'];
  if (socket === undefined) return undefined;
  const offered = socket.subprotocols.map((name) => html`<code>${name}</code>`);
  const sends = socket.sends && html`You send ${typeOf(socket.sends)}. `;
  return html`<h4>Frames</h4>
<p>Offer the subprotocols ${separated(offered, ' and ')}. ${sends}You get ${typeOf(socket.receives)}.</p>`;
}

function answersOf(operation: Operation, document: OpenApiDocument): readonly Answered[] {
  return Object.entries(operation.responses).map(([status, entry]) => {
    if (!('$ref' in entry)) return { status, response: entry, isCommon: false };
    const name = entry.$ref.slice(entry.$ref.lastIndexOf('/') + 1);
    const response = document.components.responses[name];
    return { status, response: response ?? { description: name }, isCommon: true };
  });
}

function isSuccess(answer: Answered): boolean {
  return Number(answer.status) < 400;
}

function successItem({ status, response }: Answered): Markup {
  const forms = Object.entries(response.content ?? {}).map(([type, media]) => {
    const name = type === 'application/json' ? undefined : html`<p><code>${type}</code></p>`;
    return html`${name}${media.schema && schemaTree(media.schema)}`;
  });
  return html`<div class="answer"><p><span class="status">${status}</span> ${inline(response.description)}</p>${forms}</div>`;
}

function refusalItem({ status, response, isCommon }: Answered): Markup {
  const codes = (response['x-codes'] ?? []).map((code) => inline(`\`${code}\``));
  const description = isCommon
    ? html`<p>${separated(codes, ', ')}</p>`
    : prose(response.description);
  return html`<li><span class="status">${status}</span> <div>${description}</div></li>`;
}
