/** The input of a decision besides state and command: the time, a fresh id, and the record that the command names. */
import type { Opener } from '../protocol/schema/actor.ts';
import type { Caller } from '../protocol/caller.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Timeouts } from '../protocol/schema/session.ts';
import type { KindRegistry } from './kinds/kind.ts';

export interface Facts {
  readonly now: number;
  /** An unused id; one command needs at most one. */
  readonly freshId: string;
  readonly caller: Caller;
  /** Deadlines of the deployment and the workspace. */
  readonly timeouts: Timeouts;
  readonly kinds: KindRegistry;
  /** The setting of the workspace, else of the deployment. Absent: self-approval is forbidden. */
  readonly forbidSelfApproval?: boolean;
  /** Tools of a built-in agent may be at private addresses. */
  readonly allowPrivateTools?: boolean;
  /** The workspace and session being created; known before the state is. */
  readonly address: { readonly workspace: string; readonly id: string };
  /** The record a command names, or the latest of the tool call it names, open or settled. */
  readonly record?: Interaction;
  /** In a session with a built-in agent: the last opener for each tool call whose result an append reports. */
  readonly askers?: ReadonlyMap<string, Opener>;
}
