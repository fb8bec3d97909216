/** `holdpoint/in-process`: sessions in this process. Kept on disk: `holdpoint/in-process/sqlite`. */
export type { Clock } from './clock.ts';
export { InProcessHost } from './in-process-host.ts';
export { memory } from './memory.ts';
export type { AgentModel, InProcessOptions } from './options.ts';
export type { Role } from './role.ts';
export type { InProcessStorage } from './storage.ts';
