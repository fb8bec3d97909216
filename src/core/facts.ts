/** What a decision may know besides the state: the clock, a fresh name, and the records it names. */
import type { Opener } from '../protocol/schema/actor.ts';
import type { Caller } from '../protocol/caller.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Timeouts } from '../protocol/schema/session.ts';
import type { KindRegistry } from './kinds/kind.ts';

export interface Facts {
  readonly now: number;
  /** A name nobody has used; one command needs at most one. */
  readonly freshId: string;
  readonly caller: Caller;
  /** Deadlines of the deployment and the workspace. */
  readonly timeouts: Timeouts;
  readonly kinds: KindRegistry;
  /** Of the workspace, else of the deployment; left out, it is forbidden. */
  readonly forbidSelfApproval?: boolean;
  /** Tools of a built-in agent may be at private addresses. */
  readonly allowPrivateTools?: boolean;
  /** The workspace and session being created; known before the state is. */
  readonly address: { readonly workspace: string; readonly id: string };
  /** The record a command names, or the latest of the tool call it names, open or settled. */
  readonly record?: Interaction;
  /** Who asked last about each tool call that an append reports a result of; in a session with an agent of its own. */
  readonly askers?: ReadonlyMap<string, Opener>;
}
