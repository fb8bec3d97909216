/**
 * The first request of a command hook, which is the last one wherever no person is asked: `POST /v1/hooks/claude-code`
 * finds the session, reports the call and asks, and a rule or the mode decides in its response (HOOK-5).
 *
 * 1. It knows the forms that `holdpoint connect` writes, and one try. Everything else is for the whole command, which asks
 *    again under the same id: an open question, a server that is away, a refusal, other arguments.
 * 2. An output is passed on only from a response that says it is one. Nothing here allows a call by itself.
 * 3. It loads nothing but the key and a request: each tool call of an agent pays for what is imported here.
 */
import { randomUUID } from 'node:crypto';
import { parseJson } from '../protocol/json.ts';
import { isObject } from '../protocol/types.ts';

export interface QuickRequest {
  readonly path: string;
  readonly body: string;
}

export interface QuickReply {
  readonly status: number;
  readonly text: string;
}

type Post = (request: QuickRequest) => Promise<QuickReply>;

/** The output of the hook, or the arguments of the whole command. */
export type QuickResult = { readonly output: string } | { readonly argv: readonly string[] };

const OPTIONS: Readonly<Record<string, string>> = {
  '--wait': 'wait',
  '--approvals': 'approvals',
  '--for': 'for',
};
const EVENTS_THAT_ASK = new Set(['PreToolUse', 'PermissionRequest', 'Elicitation']);

/** `argv` begins with `hook`. */
export async function askQuickly(
  argv: readonly string[],
  text: string,
  post: Post,
): Promise<QuickResult> {
  const query = hookQuery(argv);
  const body = parseJson(text);
  if (query === undefined || !body.ok || !isObject(body.value)) return { argv };
  const { hook_event_name: event } = body.value;
  const isAsking = typeof event === 'string' && EVENTS_THAT_ASK.has(event);
  if (isAsking && !query.has('wait')) return { argv };
  if (!query.has('program'))
    query.set('program', 'turn_id' in body.value ? 'codex' : 'claude-code');
  const call = `hook.${randomUUID()}`;
  query.set('call', call);
  const again = isAsking ? [...argv, '--call', call] : argv;
  try {
    const reply = await post({ path: `/v1/hooks/claude-code?${query}`, body: text });
    return isOutput(reply) ? { output: reply.text } : { argv: again };
  } catch {
    // The whole command asks again, and describes a failure that stays.
    return { argv: again };
  }
}

function isOutput({ status, text }: QuickReply): boolean {
  if (status !== 200) return false;
  const body = parseJson(text);
  if (!body.ok || !isObject(body.value)) return false;
  const { hookSpecificOutput: output } = body.value;
  return Object.keys(body.value).length === 0 || isObject(output);
}

/** Undefined: not the arguments that `connect` writes. */
function hookQuery([, ...words]: readonly string[]): URLSearchParams | undefined {
  const query = new URLSearchParams();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const name = OPTIONS[word];
    if (name !== undefined) {
      at += 1;
      const value = words[at];
      if (value === undefined || query.has(name)) return undefined;
      query.set(name, value);
    } else if (word === '--not-requester') query.set('notRequester', '1');
    else if (at === 0 && (word === 'claude-code' || word === 'codex')) query.set('program', word);
    else return undefined;
  }
  return query;
}
