/**
 * A turn of an agent without a product around it: as many rows in as many commits as the product's turn, and the same
 * requests.
 *
 * No conversation, no checks, no retry; the answer of the model is read as text and not parsed.
 */
const JSON_TYPE = { 'content-type': 'application/json' };
const ENDS = [{ type: 'turn_ended', payload: { reason: 'completed' } }];

export function playTurn(floor, text, { modelUrl, toolUrl }) {
  const turnId = `turn-${floor.head + 1}`;
  floor.sql.exec(
    'CREATE TABLE IF NOT EXISTS turn (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  );
  const keep = (key, value) =>
    floor.sql.exec('INSERT OR REPLACE INTO turn VALUES (?, ?)', key, JSON.stringify(value));
  const commit = (events, message, more) => {
    if (events.length > 0) log(floor, events);
    keep('run', { turnId, status: 'model', step: 1, calls: [] });
    if (message !== undefined) keep(`message/${turnId}/${message.place}`, message);
    if (more) keep('info', { id: 'floor', turn: turnId, title: null, metadata: {}, queued: [] });
  };
  commit(
    [{ type: 'turn_started' }, { type: 'user_message', payload: { text } }],
    { place: 0 },
    true,
  );
  const goOn = async () => {
    await ask(modelUrl, { text });
    if (text === 'tool') {
      commit([{ type: 'tool_call', payload: { toolName: 'Lookup', input: {} } }], { place: 1 });
      await Promise.resolve();
      commit([]);
      const output = await ask(toolUrl, { turnId });
      commit([{ type: 'tool_result', payload: { output } }], { place: 2 });
      await ask(modelUrl, { text, type: 'tool_result' });
    }
    commit([{ type: 'assistant_text', payload: { text: 'Done.' } }, ...ENDS], { place: 3 }, true);
  };
  // No request waits for the turn: the reply to the message is already sent.
  void goOn();
  return { routed: 'turn', turnId };
}

async function ask(url, body) {
  const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) };
  return (await fetch(url, init)).text();
}

/** Stores one row, as the product does. */
function log(floor, events) {
  const at = Date.now();
  const text = events.map((event) => JSON.stringify({ seq: ++floor.head, at, ...event })).join();
  floor.sql.exec('INSERT INTO log VALUES (?, ?)', floor.head, text);
  const frame = `{"type":"events","events":[${text}]}`;
  for (const socket of floor.ctx.getWebSockets()) socket.send(frame);
}
