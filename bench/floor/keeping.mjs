/**
 * The floor that keeps of an approval what the product keeps, written by hand for this one case: the most that the product
 * could save by being leaner, at the same promises.
 *
 * It checks the question and the answer, looks up whether the tool call has asked before, digests the input and the whole
 * question, and logs the same events in as many rows as the product, with a row that finds the settled question. It has no
 * rules, groups, votes, modes, batches, deliveries, limits, retries or other kinds of question, and no schema that a
 * reference could be made of.
 */
import { FloorObject as Floor } from './with-parts.mjs';
import { sha256 } from './sha2.js';

export { default, ReportedObject } from './with-parts.mjs';

const ANSWERS = { approve: 'approved', deny: 'denied' };
const CALL_ID = /^[\w.:-]{1,128}$/;
const encoder = new TextEncoder();

export class FloorObject extends Floor {
  /** By id: what the object keeps in memory of each question that is open. */
  asked = new Map();

  constructor(ctx, env) {
    super(ctx, env);
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS kept (last INTEGER PRIMARY KEY, first INTEGER, marks TEXT, events TEXT);
      CREATE TABLE IF NOT EXISTS settled (id TEXT PRIMARY KEY, places TEXT) WITHOUT ROWID`);
    this.head = this.sql.exec('SELECT max(last) AS head FROM kept').one().head ?? 0;
  }

  open(request, caller) {
    allow(caller, 'agent');
    const { toolCallId, toolName, description, input } = checkedQuestion(request);
    const interactionId = `${toolCallId}~1`;
    const find = 'SELECT places FROM settled WHERE id = ?';
    if (this.asked.has(interactionId) || this.sql.exec(find, interactionId).toArray().length > 0)
      throw new Error('Asked before');
    const question = {
      interactionId,
      toolCallId,
      toolName,
      kind: 'approval',
      presentation: 'tool',
      request: { input, description },
      requestDigest: digestOf({ input, description }),
      inputDigest: digestOf({ toolCallId, input }),
      openedAt: Date.now(),
      openedBy: caller.as,
      expiresAt: null,
      timeoutMs: null,
      onExpire: 'deny',
    };
    const seq = this.head + 2;
    this.asked.set(interactionId, { question, seq });
    this.keep(
      toolCallId,
      [
        ['interaction_pending', pending(question, true)],
        ['interaction_request', question],
      ],
      `{"open":[${seq}]}`,
    );
    this.unreported.open.set(interactionId, question);
    this.reportIn(250);
    return { interaction: { ...question, status: 'open', outcome: null, settledAt: null } };
  }

  answer(interactionId, answer, caller) {
    allow(caller, 'answer');
    const { decision } = checkedAnswer(answer);
    const asked = this.asked.get(interactionId);
    if (asked === undefined) throw new Error('Not open');
    const { question, seq } = asked;
    const { toolCallId, toolName, kind, inputDigest } = question;
    const response = {
      interactionId,
      toolCallId,
      toolName,
      kind,
      inputDigest,
      action: decision,
      outcome: ANSWERS[decision],
      decision: { decision, offer: 'once' },
      updatedInput: question.request.input,
      authorizedDigest: inputDigest,
      settledBy: caller.as,
      settledAt: Date.now(),
    };
    const places = JSON.stringify({ places: [seq, this.head + 1] });
    this.ctx.storage.transactionSync(() => {
      this.keep(
        toolCallId,
        [
          ['interaction_response', response],
          ['interaction_pending', pending(question, false)],
        ],
        `{"settled":${JSON.stringify(interactionId)}}`,
      );
      this.sql.exec('INSERT INTO settled VALUES (?, ?)', interactionId, places);
    });
    this.asked.delete(interactionId);
    const interaction = { ...question, ...response, status: 'settled' };
    this.waiting.get(interactionId)?.(interaction);
    this.waiting.delete(interactionId);
    this.unreported.open.delete(interactionId);
    this.unreported.settled.push(interaction);
    this.reportIn(1_000);
    return { interaction };
  }

  async look(interactionId, search) {
    const asked = this.asked.get(interactionId);
    if (asked === undefined) throw new Error('Not open');
    if (search.has('wait')) return this.outcome(interactionId);
    return { interaction: asked.question, settled: false };
  }

  keep(toolCallId, events, marks) {
    const at = Date.now();
    const first = this.head + 1;
    const rows = events.map(([type, payload]) => {
      this.head += 1;
      return JSON.stringify({ seq: this.head, at, type, toolCallId, payload });
    });
    const text = rows.join(',');
    this.sql.exec('INSERT INTO kept VALUES (?, ?, ?, ?)', this.head, first, marks, text);
    const frame = `{"type":"events","events":[${text}]}`;
    for (const socket of this.ctx.getWebSockets()) socket.send(frame);
  }

  webSocketMessage(socket, text) {
    const { type, id, interactionId, answer, ...request } = JSON.parse(text);
    const value =
      type === 'open' ? this.open(request, AGENT) : this.answer(interactionId, answer, PERSON);
    socket.send(JSON.stringify({ type: 'result', id, ok: true, value }));
  }
}

/** On a socket, the credential was read when it connected. */
const AGENT = { as: { credential: 'key_floor', subject: 'floor agent' }, scopes: ['agent'] };
const PERSON = { as: { credential: 'token_floor', subject: 'floor person' }, scopes: ['answer'] };

function allow({ scopes }, scope) {
  if (!scopes.includes(scope)) throw new Error(`The credential lacks the scope ${scope}`);
}

function pending({ toolCallId, toolName, interactionId }, pending) {
  return { toolCallId, toolName, pending, presentation: 'tool', interactionId };
}

function checkedQuestion({ kind, toolCallId, toolName, description, input, ...unknown }) {
  const isRight =
    kind === 'approval' &&
    typeof toolCallId === 'string' &&
    CALL_ID.test(toolCallId) &&
    typeof toolName === 'string' &&
    toolName.length <= 128 &&
    typeof description === 'string' &&
    description.length <= 10_000 &&
    typeof input === 'object' &&
    Object.keys(unknown).length === 0;
  if (!isRight) throw new TypeError('Not a question');
  return { toolCallId, toolName, description, input };
}

function checkedAnswer({ decision, ...unknown }) {
  if (!Object.hasOwn(ANSWERS, decision) || Object.keys(unknown).length > 0)
    throw new TypeError('Not an answer');
  return { decision };
}

const digestOf = (value) => sha256(encoder.encode(canonical(value))).toHex();

function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${fields.join(',')}}`;
}
