/** `holdpoint/in-process`: sessions in this process. Kept on disk: `holdpoint/in-process/sqlite`. */
import { refuseOldRuntime } from './refuse-old-runtime.ts';

export type { Clock } from './clock.ts';
export { InProcessHost } from './in-process-host.ts';
export type { AgentModel, InProcessOptions } from './options.ts';
export type { Role } from './role.ts';
export { type InProcessStorage, memory } from './storage.ts';

// Without it a request with a body fails.
refuseOldRuntime('transfer' in ArrayBuffer.prototype, {
  entry: 'holdpoint/in-process',
  what: 'ArrayBuffer.prototype.transfer',
  node: 22,
});
