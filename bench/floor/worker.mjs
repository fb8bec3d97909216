/**
 * The floor: the storage and socket work of asking and answering one question, without a product around it.
 *
 * It implements the part of the product's wire format that the bench needs, so that one client drives both. It has no
 * credentials, no checks, no digests, no workspace and no retry.
 *
 * An agent waits on a promise in the object, which stays in memory. With the binding `HIBERNATES` the agent waits as it
 * does in the product after two seconds, on a hibernating socket between Worker and object: the difference of the two
 * floors is the price of an object that may leave memory while agents wait.
 */
import { DurableObject } from 'cloudflare:workers';
import { playTurn } from './turn.mjs';

export default {
  fetch(request, env) {
    const url = new URL(request.url);
    const [, , , session, what] = url.pathname.split('/');
    if (session === undefined) return new Response('ok');
    const object = env.SESSION.getByName(session);
    const waits =
      env.HIBERNATES !== undefined &&
      what === 'interactions' &&
      (request.headers.has('Prefer') || url.searchParams.has('wait'));
    return waits ? waitOnSocket(object, request) : object.fetch(request);
  },
};

/** An upgrade has no body, so the question travels in a header. */
async function waitOnSocket(object, request) {
  const isOpening = request.method === 'POST';
  const headers = { Upgrade: 'websocket', ...(isOpening && { Question: await request.text() }) };
  const { webSocket } = await object.fetch(request.url, { headers });
  const settled = new Promise((resolve) => {
    webSocket.addEventListener('message', ({ data }) => resolve(data));
  });
  webSocket.accept();
  const body = await settled;
  webSocket.close();
  return new Response(body, {
    status: isOpening ? 201 : 200,
    headers: { 'content-type': 'application/json' },
  });
}

export class FloorObject extends DurableObject {
  waiting = new Map();

  constructor(ctx, env) {
    super(ctx, env);
    this.addresses = { modelUrl: env.MODEL_URL, toolUrl: env.TOOL_URL };
    this.hibernates = env.HIBERNATES !== undefined;
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
    if (request.headers.has('Upgrade'))
      return this.joinOutcome(id, request.headers.get('Question'));
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
    if (this.hibernates) {
      const settled = JSON.stringify({ interaction, settled: true });
      for (const socket of this.ctx.getWebSockets(interactionId)) socket.send(settled);
    }
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

  /** The object may be evicted now: the platform keeps the socket and its tag. */
  joinOutcome(id, question) {
    const interactionId =
      question === null ? id : this.open(JSON.parse(question)).interaction.interactionId;
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [interactionId]);
    const select = 'SELECT record FROM interaction WHERE id = ?';
    const interaction = JSON.parse(this.sql.exec(select, interactionId).one().record);
    if (interaction.status === 'settled')
      server.send(JSON.stringify({ interaction, settled: true }));
    return new Response(null, { status: 101, webSocket: client });
  }

  append(events) {
    const at = Date.now();
    const rows = events.map((event) => JSON.stringify({ seq: ++this.head, at, ...event }));
    const first = this.head - rows.length + 1;
    rows.forEach((row, n) => this.sql.exec('INSERT INTO log VALUES (?, ?)', first + n, row));
    const frame = `{"type":"events","events":[${rows.join(',')}]}`;
    // The sockets of waiting agents have other tags.
    const watchers = this.hibernates ? this.ctx.getWebSockets('watch') : this.ctx.getWebSockets();
    for (const socket of watchers) socket.send(frame);
    return { ok: true, head: this.head };
  }

  join(after) {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, this.hibernates ? ['watch'] : []);
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
