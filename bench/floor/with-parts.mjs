/**
 * The floor with parts of the product's work, to say where the difference between the two goes.
 *
 * With the binding `READS` the Worker reads each request, looks its credential up, calls the object with what it read, and
 * writes the response with the headers of a service. With `REPORTS` the object tells a second object about open and
 * settled questions: a quarter of a second after a question, a second after an answer, and each report is a commit there.
 */
import { DurableObject } from 'cloudflare:workers';
import floor, { FloorObject as Floor } from './worker.mjs';

export default {
  fetch(request, env) {
    const url = new URL(request.url);
    const [, , , session, what, id] = url.pathname.split('/');
    const isRead = env.READS !== undefined && what === 'interactions';
    return isRead ? serve(request, env, { url, session, id }) : floor.fetch(request, env);
  },
};

const known = new Map();
const decoder = new TextDecoder('utf-8', { fatal: true });
const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

async function serve(request, env, { url, session, id }) {
  const token = request.headers.get('authorization');
  if (!known.has(token)) known.set(token, callerOf(token));
  const isLook = request.method === 'GET';
  const body = isLook ? undefined : JSON.parse(decoder.decode(await request.arrayBuffer()));
  const waits = request.headers.has('prefer') || url.searchParams.has('wait');
  const call = { isLook, id, body, waits, caller: known.get(token) };
  const { status, text } = await env.SESSION.getByName(session).serve(call);
  const requestId = crypto.randomUUID();
  return new Response(text, { status, headers: { ...headers, 'x-request-id': requestId } });
}

function callerOf(token) {
  return { as: { credential: token.slice(-26), subject: 'floor' }, scopes: ['agent', 'answer'] };
}

export class FloorObject extends Floor {
  unreported = { open: new Map(), settled: [] };
  reportAt = Number.POSITIVE_INFINITY;

  async serve({ isLook, id, body, waits, caller }) {
    if (isLook) {
      const search = new URLSearchParams(waits ? { wait: '55' } : {});
      return { status: 200, text: JSON.stringify(await this.look(id, search)) };
    }
    if (id !== undefined)
      return { status: 200, text: JSON.stringify(this.answer(id, body, caller)) };
    const opened = this.open(body, caller);
    const reply = waits ? await this.outcome(opened.interaction.interactionId) : opened;
    return { status: 201, text: JSON.stringify(reply) };
  }

  open(request) {
    const opened = super.open(request);
    const { interaction } = opened;
    this.unreported.open.set(interaction.interactionId, interaction);
    this.reportIn(250);
    return opened;
  }

  answer(interactionId, answer) {
    const answered = super.answer(interactionId, answer);
    this.unreported.open.delete(interactionId);
    this.unreported.settled.push(answered.interaction);
    this.reportIn(1_000);
    return answered;
  }

  reportIn(ms) {
    const at = Date.now() + ms;
    if (this.env.REPORTS === undefined || this.reportAt <= at) return;
    this.reportAt = at;
    setTimeout(() => this.report(at), ms);
  }

  report(at) {
    // An earlier report has taken this one along.
    if (this.reportAt !== at) return;
    this.reportAt = Number.POSITIVE_INFINITY;
    const { open, settled } = this.unreported;
    const report = {
      session: this.ctx.id.name,
      head: this.head,
      open: [...open.values()],
      settled,
    };
    this.unreported = { open, settled: [] };
    return this.env.WORKSPACE.getByName('main').apply(report);
  }
}

export class ReportedObject extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, head INTEGER, open TEXT) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, entry TEXT) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS audit (number INTEGER PRIMARY KEY, entry TEXT)`);
  }

  apply({ session, head, open, settled }) {
    this.ctx.storage.transactionSync(() => {
      for (const { interactionId, toolName, outcome } of settled) {
        const entry = { session, interactionId, toolName, outcome, at: Date.now() };
        this.sql.exec('INSERT INTO audit (entry) VALUES (?)', JSON.stringify(entry));
        this.sql.exec('DELETE FROM inbox WHERE id = ?', `${session} ${interactionId}`);
      }
      for (const entry of open) {
        const id = `${session} ${entry.interactionId}`;
        this.sql.exec('INSERT OR REPLACE INTO inbox VALUES (?, ?)', id, JSON.stringify(entry));
      }
      const ids = JSON.stringify(open.map(({ interactionId }) => interactionId));
      this.sql.exec('INSERT OR REPLACE INTO session VALUES (?, ?, ?)', session, head, ids);
    });
    return head;
  }
}
