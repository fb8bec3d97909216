/** `holdpoint/direct`: sessions in this process. Kept on disk: `holdpoint/direct/sqlite`. */
export type { Clock } from './clock.ts';
export { DirectTransport } from './direct-transport.ts';
export type { Role } from './identity.ts';
export { memory } from './memory.ts';
export type { DirectOptions } from './options.ts';
export type { DirectStorage } from './storage.ts';
