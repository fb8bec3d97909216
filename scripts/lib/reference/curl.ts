/** Formats an operation as a command to paste into a shell, with the address and the token in variables. */
import type { Operation } from '../../../src/http/openapi/document.ts';

/** A fixed key would return the first answer again when the command is pasted twice. */
const FRESH = new Map([['Idempotency-Key', '$(uuidgen)']]);

const HANDSHAKE = [
  '--http1.1 --no-buffer',
  '-H "Connection: Upgrade" -H "Upgrade: websocket"',
  '-H "Sec-WebSocket-Version: 13" -H "Sec-WebSocket-Key: aG9sZHBvaW50LWV4YW1wbA=="',
];

export function curlOf(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const address = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((candidate) => candidate.name === name);
    return parameter?.example ?? whole;
  });
  const body = operation.requestBody?.content['application/json']?.example;
  const isPlain = method === 'get' || (method === 'post' && body !== undefined);
  const socket = operation['x-websocket'];
  const headers = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.example !== undefined)
    .map(({ name, example }) => `-H "${name}: ${FRESH.get(name) ?? example}"`);
  const isPublic = operation.security !== undefined;
  return [
    `curl ${isPlain ? '' : `-X ${method.toUpperCase()} `}"$HOLDPOINT_URL${address}"`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $HOLDPOINT_TOKEN"']),
    ...(socket ? [...HANDSHAKE, `-H "Sec-WebSocket-Protocol: ${socket.subprotocols[0]}"`] : []),
    ...headers,
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
