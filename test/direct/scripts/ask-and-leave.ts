/** Asks and does not want to know. */
import { DirectTransport } from '../../../src/direct/index.ts';
import { sqliteFolder } from '../../../src/direct/sqlite.ts';

const [folder] = process.argv.slice(2);
const holdpoint = new DirectTransport(
  folder === undefined ? {} : { storage: sqliteFolder(folder) },
);
await holdpoint.createSession({ id: 'session-1' });
await holdpoint.open('session-1', { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } });
console.log('asked');
