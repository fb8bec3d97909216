/** Asks and waits, for a deadline of two seconds or for much longer. */
import { DirectTransport } from '../../../src/direct/index.ts';
import { sqliteFolder } from '../../../src/direct/sqlite.ts';

const [timeoutSeconds = '', folder] = process.argv.slice(2);
const holdpoint = new DirectTransport(
  folder === undefined ? {} : { storage: sqliteFolder(folder) },
);
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
