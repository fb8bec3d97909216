/**
 * The introduction to the API, in a few sections: the description of the document, and the beginning of
 * the reference page. Backticks are the only markup in a text.
 */
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../protocol/frames.ts';
import { LIMITS } from '../../protocol/limits.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly code?: string;
}

const BYTES_PER_KIB = 1_024;

export const SUMMARY = 'The place where agents wait for people.';

export const GUIDE: readonly Section[] = [
  {
    id: 'start',
    title: 'Start',
    paragraphs: [
      'An agent opens an interaction in a session and waits; a person sees it and answers; the agent ' +
        'gets the outcome. Everything that happens is an event in the log of the session.',
      'Paths are relative to the address of the service, `$HOLDPOINT_URL` in the examples. Bodies ' +
        `are JSON in UTF-8, up to ${LIMITS.bodyBytes / BYTES_PER_KIB} KiB. Unknown fields are rejected, not ignored. ` +
        'Times are milliseconds since 1970 by the clock of the server, which sends its `now` along.',
    ],
    code:
      'curl "$HOLDPOINT_URL/v1/sessions" \\\n' +
      '  -H "Authorization: Bearer $HOLDPOINT_TOKEN" \\\n' +
      '  -H "Content-Type: application/json" \\\n' +
      `  -d '{"title":"Release 2.4"}'`,
  },
  {
    id: 'access',
    title: 'Access',
    paragraphs: [
      'Send `Authorization: Bearer <token>`. A key is for an agent or a service; from it come ' +
        'shorter-lived tokens, for one session or for one person. None of them belongs in a URL.',
      'Each operation names its scopes, and any one of them is enough: `read` to look, `answer` to ' +
        'decide, `send` to write and interrupt, `agent` to ask and report, `admin` for everything. ' +
        'Without a credential the answer is 401, without the scope 403. What belongs to another ' +
        'session or workspace is 404, as if it did not exist.',
    ],
  },
  {
    id: 'repeating',
    title: 'Repeating safely',
    paragraphs: [
      'Where an operation takes `Idempotency-Key`, choose a fresh key for each intention and send the ' +
        'same key again when you do not know whether a request arrived. The first answer comes back, ' +
        'marked `Idempotency-Replayed: true`; nothing happens twice. The same key with another body ' +
        'is 422. Keys count per credential and are kept for 24 hours.',
      'Opening an interaction is safe to repeat by its `toolCallId` as well: the same request ' +
        'returns the same interaction, open or settled.',
    ],
  },
  {
    id: 'waiting',
    title: 'Waiting for a person',
    paragraphs: [
      `Open with \`Prefer: wait=${LIMITS.waitSeconds}\`, or read with \`?wait=${LIMITS.waitSeconds}\`, ` +
        'and the response comes with the outcome or when the time is up; `settled` says which. ' +
        `Longer waits are cut to ${LIMITS.waitSeconds} seconds; ask again, as often as it takes. ` +
        'When it settled, `interaction.reply` is the reply to the agent: `allow` with the input to ' +
        'run, or `deny` with the reason.',
      'Time never approves anything. At the deadline the agent gets a denial, unless the interaction was opened ' +
        'with another `onExpire`.',
    ],
  },
  {
    id: 'following',
    title: 'Following the log',
    paragraphs: [
      'Events are numbered 1, 2, 3… without a gap. Read pages with `after`, or follow live with ' +
        '`Accept: text/event-stream`, where `Last-Event-ID` resumes. `head` of a snapshot is the ' +
        'cursor to start from; a cursor beyond the head is refused with `cursor_ahead`.',
    ],
  },
  {
    id: 'socket',
    title: 'The socket',
    paragraphs: [
      `Connect to \`/v1/sessions/{id}/socket\` with the subprotocols \`${PROTOCOL}\` and ` +
        `\`${TOKEN_SUBPROTOCOL}<token>\`; only the first is echoed. The frames you get are ` +
        '`ServerFrame`: first `welcome`, with everything open, then `events` from the cursor and on, ' +
        'live. The frames you send are `ClientFrame`, each with an `id` that its `result` repeats; ' +
        'they are checked as the same request over HTTP would be.',
      'The text `ping` is answered `pong`. A refusal is sent as an `error` frame before the socket ' +
        'is closed, because a browser cannot read a status. The close codes 1008, 1009, 4401, 4403, ' +
        '4404 and 4409 are final; after any other, connect again with the last `seq`.',
    ],
    code:
      'const socket = new WebSocket(`${url}/v1/sessions/${id}/socket?after=${seq}`, [\n' +
      `  '${PROTOCOL}',\n` +
      `  \`${TOKEN_SUBPROTOCOL}\${token}\`,\n` +
      ']);',
  },
  {
    id: 'refusals',
    title: 'Refusals',
    paragraphs: [
      'Every refusal is an `Error`: a `code` for programs, a `message` for people, `details` as ' +
        'evidence, and the `requestId` that is also in the header `X-Request-Id`. `retry` says what ' +
        'may help: `never` without changing the request, `now` with the same idempotency key, ' +
        '`later` after waiting. On a socket the refusal ends with the close code.',
    ],
  },
];

/** The introduction as Markdown, for tools that read the document. */
export function guideAsMarkdown(): string {
  return GUIDE.map(({ title, paragraphs, code }) =>
    [`## ${title}`, ...paragraphs, ...(code === undefined ? [] : [`\`\`\`\n${code}\n\`\`\``])].join(
      '\n\n',
    ),
  ).join('\n\n');
}
