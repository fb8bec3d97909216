/** Actors on the wire and in the log. */
import * as z from './zod.ts';

export const Scope = z.enum(['read', 'answer', 'send', 'agent', 'admin']);
export type Scope = z.infer<typeof Scope>;

/** The channel of an answer, derived from the credential and the route, never from the body. */
export const Via = z.enum([
  'web',
  'api',
  'link',
  'chat',
  'text',
  'cli',
  'hook',
  'mcp',
  'push',
  'rule',
  'timeout',
  'system',
]);
export type Via = z.infer<typeof Via>;

/**
 * `key` is the key that the credential descends from, `root` the first credential of its line that an administrator made;
 * `root` is left out if it is the credential itself. Old logs have neither field.
 */
export const Opener = z.strictObject({
  credential: z.string(),
  subject: z.string(),
  key: z.string().exactOptional(),
  root: z.string().exactOptional(),
});
export type Opener = z.infer<typeof Opener>;

/** Without `credential` and `key`: the service itself, or an old log. */
export const Settler = z.strictObject({
  subject: z.string(),
  via: Via,
  credential: z.string().exactOptional(),
  key: z.string().exactOptional(),
});
export type Settler = z.infer<typeof Settler>;
