/** One operation on the page: a line of the index that opens to its full description. */
import type {
  OpenApiDocument,
  Operation,
  OperationResponse,
  Parameter,
} from '../../../src/http/openapi/document.ts';
import { html, inline, prose, separated, type Content, type Markup } from './html.ts';
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
  if (isFile(operation)) return html`<h4>Body</h4><p>A file of any type, as its bytes.</p>`;
  const schema = body?.content['application/json']?.schema;
  if (body === undefined || schema === undefined) return undefined;
  const flag = body.required ? undefined : html` <span class="flag">optional</span>`;
  return html`<h4>Body${flag}</h4>${schemaTree(schema)}`;
}

function isFile({ requestBody }: Operation): boolean {
  return requestBody?.content['*/*'] !== undefined;
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

/** A fixed key would return the first answer again when the command is pasted twice. */
const FRESH = new Map([['Idempotency-Key', '$(uuidgen)']]);

const HANDSHAKE = [
  '--http1.1 --no-buffer',
  '-H "Connection: Upgrade" -H "Upgrade: websocket"',
  '-H "Sec-WebSocket-Version: 13" -H "Sec-WebSocket-Key: aG9sZHBvaW50LWV4YW1wbA=="',
];

/** Formats an operation as a command to paste into a shell, with the address and the token in variables. */
function curlOf(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const address = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((candidate) => candidate.name === name);
    return parameter?.example ?? whole;
  });
  const body = operation.requestBody?.content['application/json']?.example;
  const file = isFile(operation);
  const isPlain = method === 'get' || (method === 'post' && (file || body !== undefined));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, example = '' }) => `${name}=${encodeURIComponent(example)}`);
  const target = [address, ...query].join('?');
  const socket = operation['x-websocket'];
  const headers = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.example !== undefined)
    .map(({ name, example }) => `-H "${name}: ${FRESH.get(name) ?? example}"`);
  const isPublic = operation.security !== undefined;
  return [
    `curl ${isPlain ? '' : `-X ${method.toUpperCase()} `}"$HOLDPOINT_URL${target}"`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $HOLDPOINT_TOKEN"']),
    ...(socket ? [...HANDSHAKE, `-H "Sec-WebSocket-Protocol: ${socket.subprotocols[0]}"`] : []),
    ...headers,
    ...(file ? ['--data-binary @receipt.pdf'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
