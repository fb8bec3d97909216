/** `holdpoint/in-process`: sessions in this process. Kept on disk: `holdpoint/in-process/sqlite`. */
export type { Clock } from './clock.ts';
export { InProcessHost } from './in-process-host.ts';
export type { AgentModel, InProcessOptions } from './options.ts';
export type { Role } from './role.ts';
export { type InProcessStorage, memory } from './storage.ts';
