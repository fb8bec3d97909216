/** Asks and waits, for a deadline of two seconds or for much longer. */
import { InProcessHost } from '../../../src/in-process/index.ts';
import { sqliteFolder } from '../../../src/in-process/sqlite.ts';

const [timeoutSeconds = '', folder] = process.argv.slice(2);
const host = new InProcessHost(folder === undefined ? {} : { storage: sqliteFolder(folder) });
const holdpoint = host.transport();
await holdpoint.createSession({ id: 'session-1' });
await holdpoint.open('session-1', {
  kind: 'approval',
  toolName: 'Bash',
  toolCallId: 'call-1',
  input: { command: 'ls' },
  timeoutSeconds: Number(timeoutSeconds),
});
console.log('asked');
const settled = await holdpoint.interaction('session-1', 'call-1~1', { waitSeconds: 3_600 });
console.log(settled.outcome);
