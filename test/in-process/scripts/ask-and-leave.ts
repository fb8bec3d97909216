/** Asks, and does not wait for the answer. */
import { InProcessHost } from '../../../src/in-process/index.ts';
import { sqliteFolder } from '../../../src/in-process/sqlite.ts';

const [folder] = process.argv.slice(2);
const host = new InProcessHost(folder === undefined ? {} : { storage: sqliteFolder(folder) });
const holdpoint = host.transport();
await holdpoint.createSession({ id: 'session-1' });
await holdpoint.open('session-1', { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } });
console.log('asked');
