/**
 * The floor: the storage and socket work of asking and answering one question, without a product around it.
 *
 * It implements the part of the product's wire format that the bench needs, so that one client drives both. It has no
 * credentials, no checks, no digests, no workspace and no retry.
 */
import { DurableObject } from 'cloudflare:workers';
import { playTurn } from './turn.mjs';

export default {
  fetch(request, env) {
    const [, , , session] = new URL(request.url).pathname.split('/');
    return session === undefined
      ? new Response('ok')
      : env.SESSION.getByName(session).fetch(request);
  },
};

export class FloorObject extends DurableObject {
  waiting = new Map();

  constructor(ctx, env) {
    super(ctx, env);
    this.addresses = { modelUrl: env.MODEL_URL, toolUrl: env.TOOL_URL };
    this.sql = ctx.storage.sql;
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, event TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS interaction
        (id TEXT PRIMARY KEY, status TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID`);
    this.head = this.sql.exec('SELECT max(seq) AS head FROM log').one().head ?? 0;
    ctx.blockConcurrencyWhile(async () => {
      this.alarmAt = await ctx.storage.getAlarm();
    });
  }

  async fetch(request) {
    const url = new URL(request.url);
    const [, , , , what, id] = url.pathname.split('/');
    if (what === 'socket') return this.join(Number(url.searchParams.get('after')));
    if (request.method === 'GET') return Response.json(await this.look(id, url.searchParams));
    const body = await request.json();
    if (what === 'messages') {
      this.armFor(Date.now() + 5_000);
      return Response.json(playTurn(this, body.text, this.addresses), { status: 202 });
    }
    if (what === 'events') return Response.json(this.append(body.events), { status: 201 });
    if (id !== undefined) return Response.json(this.answer(id, body));
    const opened = this.open(body);
    if (!request.headers.has('Prefer')) return Response.json(opened, { status: 201 });
    const outcome = await this.outcome(opened.interaction.interactionId);
    return Response.json(outcome, { status: 201 });
  }

  open(request) {
    const interactionId = `${request.toolCallId}~1`;
    const expiresAt = Date.now() + 600_000;
    const interaction = { ...request, interactionId, expiresAt, status: 'open', outcome: null };
    const record = JSON.stringify(interaction);
    this.sql.exec("INSERT INTO interaction VALUES (?, 'open', ?)", interactionId, record);
    this.append([
      { type: 'interaction_request', toolCallId: request.toolCallId, payload: interaction },
    ]);
    this.armFor(expiresAt);
    return { interaction };
  }

  armFor(at) {
    if (this.alarmAt !== null && at >= this.alarmAt) return;
    this.alarmAt = at;
    this.ctx.storage.setAlarm(at);
  }

  answer(interactionId, { decision }) {
    const asked = this.sql.exec('SELECT record FROM interaction WHERE id = ?', interactionId).one();
    const interaction = { ...JSON.parse(asked.record), status: 'settled', outcome: `${decision}d` };
    const settle = `UPDATE interaction SET status = 'settled', record = ? WHERE id = ? AND status = 'open'`;
    const { rowsWritten } = this.sql.exec(settle, JSON.stringify(interaction), interactionId);
    if (rowsWritten === 0) throw new Error('Settled before');
    const { toolCallId } = interaction;
    this.append([{ type: 'interaction_response', toolCallId, payload: interaction }]);
    this.waiting.get(interactionId)?.(interaction);
    this.waiting.delete(interactionId);
    return { interaction };
  }

  async look(interactionId, search) {
    const select = 'SELECT record FROM interaction WHERE id = ?';
    const interaction = JSON.parse(this.sql.exec(select, interactionId).one().record);
    const settled = interaction.status === 'settled';
    return settled || !search.has('wait') ? { interaction, settled } : this.outcome(interactionId);
  }

  async outcome(interactionId) {
    const interaction = await new Promise((settle) => this.waiting.set(interactionId, settle));
    return { interaction, settled: true };
  }

  append(events) {
    const at = Date.now();
    const rows = events.map((event) => JSON.stringify({ seq: ++this.head, at, ...event }));
    const first = this.head - rows.length + 1;
    rows.forEach((row, n) => this.sql.exec('INSERT INTO log VALUES (?, ?)', first + n, row));
    const frame = `{"type":"events","events":[${rows.join(',')}]}`;
    for (const socket of this.ctx.getWebSockets()) socket.send(frame);
    return { ok: true, head: this.head };
  }

  join(after) {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.send(JSON.stringify({ type: 'welcome', head: this.head }));
    for (let at = after; at < this.head; at += 500) {
      const page = 'SELECT event FROM log WHERE seq > ? ORDER BY seq LIMIT 500';
      const rows = this.sql
        .exec(page, at)
        .toArray()
        .map(({ event }) => event);
      server.send(`{"type":"events","events":[${rows.join(',')}]}`);
    }
    return new Response(null, { status: 101, webSocket: client });
  }

  webSocketMessage(socket, text) {
    const { type, id, interactionId, answer, ...request } = JSON.parse(text);
    const value = type === 'open' ? this.open(request) : this.answer(interactionId, answer);
    socket.send(JSON.stringify({ type: 'result', id, ok: true, value }));
  }

  webSocketClose(socket) {
    socket.close();
  }

  alarm() {
    this.alarmAt = null;
  }
}
