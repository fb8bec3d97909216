/**
 * The built Worker, with objects that count what the platform bills, and one more route that returns the counts.
 * The counting workloads use this Worker; no timed block does.
 *
 * All objects of a process live in one isolate, so the counts are variables of this module: reading them is no request
 * to an object, and they outlive the object that counted. `?abort=` first drops a session from memory, as an eviction does.
 */
import worker, { SessionObject as Session, WorkspaceObject as Workspace } from './worker.js';

export * from './worker.js';

const NONE = {
  wakes: 0,
  requests: 0,
  messages: 0,
  alarms: 0,
  rowsRead: 0,
  rowsWritten: 0,
  alarmMoves: 0,
};
const counts = { session: { ...NONE }, workspace: { ...NONE } };

export const SessionObject = counting(Session, counts.session);
export const WorkspaceObject = counting(Workspace, counts.workspace);

function counting(Base, count) {
  class Counting extends Base {
    constructor(ctx, env) {
      countStorage(ctx.storage, count);
      super(ctx, env);
      count.wakes += 1;
    }

    dropFromMemory() {
      this.ctx.abort('dropped by the bench');
    }
  }
  for (const name of Object.getOwnPropertyNames(Base.prototype)) {
    if (name === 'constructor') continue;
    const of = { alarm: 'alarms', webSocketMessage: 'messages' }[name] ?? 'requests';
    const isEnd = name === 'webSocketClose' || name === 'webSocketError';
    Counting.prototype[name] = function (...args) {
      if (!isEnd) count[of] += 1;
      return Base.prototype[name].apply(this, args);
    };
  }
  return Counting;
}

function countStorage(storage, count) {
  const { sql, setAlarm, deleteAlarm } = storage;
  const exec = (...args) => {
    const cursor = sql.exec(...args);
    let read = 0;
    let written = 0;
    const note = () => {
      count.rowsRead += cursor.rowsRead - read;
      count.rowsWritten += cursor.rowsWritten - written;
      [read, written] = [cursor.rowsRead, cursor.rowsWritten];
    };
    note();
    return {
      toArray() {
        const rows = cursor.toArray();
        note();
        return rows;
      },
      get rowsWritten() {
        return cursor.rowsWritten;
      },
    };
  };
  const moving =
    (move) =>
    (...args) => {
      count.alarmMoves += 1;
      return move.apply(storage, args);
    };
  Object.defineProperties(storage, {
    sql: {
      value: {
        exec,
        get databaseSize() {
          return sql.databaseSize;
        },
      },
    },
    setAlarm: { value: moving(setAlarm) },
    deleteAlarm: { value: moving(deleteAlarm) },
  });
}

export default {
  async fetch(request, env, ctx) {
    const url = new URL(request.url);
    if (url.pathname !== '/bench/costs') return worker.fetch(request, env, ctx);
    const dropped = url.searchParams.get('abort');
    // The call ends with the object, so it always fails.
    if (dropped !== null)
      await env.SESSION.getByName(dropped)
        .dropFromMemory()
        .catch(() => {});
    return Response.json(counts);
  },
};
