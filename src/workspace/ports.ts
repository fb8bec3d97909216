/**
 * The environment of a workspace, and what its callers pass. Each port is implemented in `platform/` and faked in tests.
 */
import type * as z from '../protocol/schema/zod.ts';
import type { OutgoingAnnouncement, TargetConfig } from '../delivery/ports.ts';
import type { InboxFilter } from '../protocol/inbox-filter.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { VapidKeys } from '../protocol/schema/surfaces/push.ts';
import type { CreateTarget, UpdateTarget } from '../protocol/schema/target.ts';
import type { CreateKey } from '../protocol/schema/workspace.ts';
import type { Activity } from './activity.ts';
import type { StoredTarget, WorkspaceStore } from './store.ts';

/** A part of a list; `before` and `after` are cursors of earlier pages. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Who looks for what in the inbox. */
export interface InboxSearch {
  readonly filter: InboxFilter;
  readonly reader: { readonly subject: string; readonly isAdmin: boolean };
}

export interface InboxQuery extends PageQuery {
  readonly search?: InboxSearch | undefined;
}

/** A person, as audit entries name one: a key chooses the subjects of its tokens. */
export interface Decider {
  readonly subject: string;
  readonly key: string;
}

export type CreateKeyInput = z.output<typeof CreateKey>;

export type CreateTargetInput = z.output<typeof CreateTarget>;
export type TargetChanges = z.output<typeof UpdateTarget>;

/** The maker of a target, and where this service was reached. */
export interface TargetMaker extends Pick<StoredTarget, 'workspace' | 'origin' | 'maker'> {
  readonly by: Settler;
}

/** A key, or a token that descends from it, was used. */
export interface KeyUse {
  readonly key: string;
  readonly at: number;
}

/** Calls to sessions. A call resolves when the session has done the work; a rejected call is tried again. */
interface SessionCalls {
  /** Settles overdue interactions and sends unreported events. */
  poke(sessionId: string): Promise<void>;
  /** Closes the connections of this credential and of every credential minted from it. */
  revoke(sessionId: string, credential: string): Promise<void>;
  /** The credentials of agents that are connected to the session. */
  connectedAgents(sessionId: string): Promise<readonly string[]>;
  /** Deletes the session if `head` is its last event and nothing is open in it; else false. */
  deleteIdle(sessionId: string, head: number): Promise<boolean>;
}

/** Calls to other workspaces of the deployment. A rejected call is tried again. */
interface WorkspaceCalls {
  /** Revokes a key there, also one that is not made yet. */
  endKey(workspace: string, keyId: string, holdsTargets: boolean): Promise<void>;
}

/** Calls to targets. A call resolves when the target has stored everything; a rejected call is tried again. */
interface TargetCalls {
  /** Null: the target was deleted. */
  receive(
    targetId: string,
    config: TargetConfig | null,
    announcements: readonly OutgoingAnnouncement[],
  ): Promise<void>;
}

/** Kept with a connection to the inbox through hibernation. */
export interface InboxAttachment {
  /** The credential and its ancestors: revoking any of them ends the connection. */
  readonly chain: readonly string[];
  readonly expiresAt: number | null;
  /** A stream that the stateless Worker holds for a client; counted apart from sockets of clients. */
  readonly held: boolean;
  readonly root: string;
  /** Its holder may answer, or acts as an agent. */
  readonly takesPart: boolean;
}

export interface InboxSocket {
  readonly attachment: InboxAttachment;
  /** Throws when the peer is gone; otherwise delivery is unknown. */
  send(text: string): void;
  close(code: number, reason: string): void;
}

export interface WorkspaceAlarm {
  /** The time for which the alarm is set; null when it is not set, also while it runs. */
  readonly armedAt: number | null;
  arm(at: number): void;
}

export interface WorkspacePorts {
  readonly store: WorkspaceStore;
  readonly sessions: SessionCalls;
  /** Absent in a process, which has one workspace. */
  readonly workspaces?: WorkspaceCalls | undefined;
  readonly targets: TargetCalls;
  /** Targets may use plain HTTP, and be on this machine or its network. */
  readonly allowPrivateTargets: boolean;
  /** The text of a new secret. */
  readonly freshSecret: () => string;
  readonly freshVapidKeys: () => Promise<VapidKeys>;
  readonly subscribers: { all(): readonly InboxSocket[] };
  readonly alarm: WorkspaceAlarm;
  readonly now: () => number;
  readonly freshId: () => string;
  readonly warn: (message: string, evidence: unknown) => void;
  /** Shows opened and settled interactions on a terminal. */
  readonly showActivity?: ((activity: Activity) => void) | undefined;
}
