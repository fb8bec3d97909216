/** Who is acting, and what they may do. */
import * as z from 'zod';

export const Scope = z.enum(['read', 'answer', 'send', 'agent', 'admin']);
export type Scope = z.infer<typeof Scope>;

/** Where an answer came from; derived from the credential and the route, never from the body. */
export const Via = z.enum([
  'web',
  'api',
  'link',
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

export const Opener = z.strictObject({ credential: z.string(), subject: z.string() });
export type Opener = z.infer<typeof Opener>;

export const Settler = z.strictObject({ subject: z.string(), via: Via });
export type Settler = z.infer<typeof Settler>;

/** A checked credential, as every command carries it. */
export interface Caller {
  readonly credential: string;
  readonly subject: string;
  readonly via: Via;
  readonly scopes: readonly Scope[];
}

/** Whether this is the agent that an interaction was opened for, or one that may act as it. */
export function isAgentOf(caller: Caller, openedBy: Opener): boolean {
  return caller.scopes.includes('agent') || caller.credential === openedBy.credential;
}

export function mayAct(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes('admin') || caller.scopes.includes(scope);
}
