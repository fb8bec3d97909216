/**
 * The built Worker, with objects that count what the platform bills, and routes that return the counts and send reports
 * to a workspace. The counting workloads use this Worker, and no block that is compared with the floor.
 *
 * All objects of a process live in one isolate, so the counts are variables of this module: reading them is no request
 * to an object, and they outlive the object that counted. `?abort=` first drops a session from memory, as an eviction does.
 */
import { NO_COSTS } from './no-costs.mjs';
import worker, { SessionObject as Session, WorkspaceObject as Workspace } from './worker.js';

export * from './worker.js';

/** An isolate asks for policies when its copy is old, which is no matter of one approval. */
const KINDS_OF_CALL = {
  alarm: 'alarms',
  webSocketMessage: 'messages',
  policy: 'refreshes',
  audiencePolicy: 'refreshes',
};
const counts = { session: { ...NO_COSTS }, workspace: { ...NO_COSTS } };

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
    const of = KINDS_OF_CALL[name] ?? 'requests';
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

/** Reports without the sessions that would send them, so that the workspace is measured alone. */
async function applyReports(request, env) {
  const workspace = env.WORKSPACE.getByName('main');
  const reports = await request.json();
  const heads = await Promise.all(reports.map((report) => workspace.applyReport(report)));
  return Response.json({ heads });
}

export default {
  async fetch(request, env, ctx) {
    const url = new URL(request.url);
    if (url.pathname === '/bench/reports') return applyReports(request, env);
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
