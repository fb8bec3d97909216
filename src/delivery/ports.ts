/** The environment of a target: its storage, its alarm, the network, and the sessions that its receiver answers. */
import type { AnswerLink } from '../core/answer-links/answer-link.ts';
import type { TargetSecret } from '../core/delivery/webhook-signature.ts';
import type { Caller } from '../protocol/caller.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Announcement } from '../protocol/schema/announcement.ts';
import type { QuietHours } from '../protocol/schema/quiet-hours.ts';
import type { SurfaceSettings } from '../protocol/schema/surfaces/index.ts';
import type { DeliveryAttempt } from '../protocol/schema/target.ts';
import type { OutgoingPush } from './surfaces/push/push-surface.ts';
import type { OutgoingMail } from './surfaces/mail/compose-mail.ts';
import type {
  AnswerResult,
  ShownMessage,
  SurfaceReply,
  SurfaceRequest,
} from './surfaces/surface.ts';

export type { AnswerResult };

/** The settings of a target, which its workspace sends along with announcements. */
export interface TargetConfig {
  readonly id: string;
  readonly workspace: string;
  readonly surface: SurfaceSettings;
  /** Where this service is reached from outside; undefined in a process without a server. */
  readonly origin: string | undefined;
  readonly audience: string | undefined;
  /** Of the person that is its audience. */
  readonly quietHours?: QuietHours;
  readonly secrets: readonly TargetSecret[];
  readonly maker: { readonly credential: string; readonly key?: string; readonly root?: string };
  readonly isEnabled: boolean;
  /** Counts how often it was enabled: a target that disabled itself waits for a higher number. */
  readonly enabledCount: number;
}

/** One announcement on its way to one target. */
export interface OutgoingAnnouncement {
  readonly sessionId: string;
  /** Names the session, its log and the event: the same for what is handed over twice. */
  readonly source: string;
  readonly announcement: Announcement;
  /** The target is not sent it: it only ends a reminder that waits. */
  readonly isUnwanted?: true;
}

/** `due` at `nextAt`; `behind` an earlier delivery of its session; null when it was delivered or is dead. */
export type DeliveryWait = 'due' | 'behind' | null;

export interface StoredDelivery {
  readonly number: number;
  /** Empty for a test. */
  readonly sessionId: string;
  readonly source: string;
  readonly at: number;
  readonly wait: DeliveryWait;
  readonly nextAt: number | null;
  readonly attempts: number;
  /** Null for a test. */
  readonly announcement: Announcement | null;
  readonly last: DeliveryAttempt | null;
  readonly isDelivered: boolean;
  /** A reminder held in quiet hours: it ends with this interaction, and no other delivery waits for it. */
  readonly heldFor: string | null;
}

export interface DisabledState {
  readonly at: number;
  readonly enabledCount: number;
  /** The workspace has it. */
  readonly isReported: boolean;
  /** The receiver is gone for good: the target is deleted. */
  readonly isGone?: boolean;
}

/** Where the surface of a target shows an interaction. */
export interface StoredShown extends ShownMessage {
  readonly sessionId: string;
  readonly interactionId: string;
  /** The delivery that shows it; null when only its end was delivered. */
  readonly number: number | null;
  readonly at: number;
}

export interface TargetStore {
  config(): TargetConfig | undefined;
  saveConfig(config: TargetConfig): void;
  /** The first failure since the last success; null after a success. */
  failingSince(): number | null;
  saveFailingSince(at: number | null): void;
  disabled(): DisabledState | undefined;
  saveDisabled(state: DisabledState | undefined): void;
  /** Undefined when a delivery of this source is stored. */
  add(delivery: Omit<StoredDelivery, 'number'>): number | undefined;
  find(number: number): StoredDelivery | undefined;
  update(delivery: StoredDelivery): void;
  /** By their time, at most `limit`. */
  due(now: number, limit: number): StoredDelivery[];
  earliestDue(): number | null;
  /** Whether one of this session is due with fewer attempts than this, held ones aside. */
  hasDue(sessionId: string, attemptsBelow: number): boolean;
  firstBehind(sessionId: string): number | undefined;
  /** What is held for this interaction and has not ended. */
  held(sessionId: string, interactionId: string): StoredDelivery[];
  /** What is held for longer than this and was not tried is due then. */
  shortenHeld(at: number): void;
  /** Newest first. */
  list(limit: number, before?: number): StoredDelivery[];
  /** Ended deliveries of `since` and later, the oldest first. */
  listEnded(since: number, limit: number, after: number): StoredDelivery[];
  /** Removes ended deliveries made before this time, but no request that is still shown. */
  removeEnded(before: number, limit: number): void;
  hasReceived(messageId: string): boolean;
  addReceived(messageId: string, at: number): void;
  removeReceived(messageId: string): void;
  removeReceivedBefore(at: number): void;
  shown(sessionId: string, interactionId: string): StoredShown | undefined;
  /** Adds or replaces. */
  saveShown(shown: StoredShown): void;
  /** Removes those of interactions that settled before this time. */
  removeShownBefore(at: number, limit: number): void;
  removeAll(): void;
  /** Writes everything, or nothing when `work` throws. Every change of a row happens in here. */
  write<Result>(work: () => Result): Result;
}

/** An answer of the receiver to an interaction. */
export interface ReceiverAnswer {
  readonly workspace: string;
  readonly sessionId: string;
  readonly interactionId: string;
  readonly answer: JsonObject;
  readonly caller: Caller;
}

export interface TargetPorts {
  readonly store: TargetStore;
  readonly alarm: { readonly armedAt: number | null; arm(at: number): void };
  /** Never rejects. */
  readonly send: (request: SurfaceRequest) => Promise<SurfaceReply>;
  /** To a push service, which is public whatever the deployment allows its tools and targets. Never rejects. */
  readonly sendPush: (request: SurfaceRequest) => Promise<SurfaceReply>;
  /** Undefined when the keys of the device are not valid. */
  readonly encryptPush: (push: OutgoingPush) => Promise<SurfaceRequest | undefined>;
  readonly sendBoundMail?: (mail: OutgoingMail) => Promise<SurfaceReply>;
  readonly answer: (answer: ReceiverAnswer) => Promise<AnswerResult>;
  /** Counts a verified answer of the receiver; the seconds to wait when it is one too many. */
  readonly countAnswer: () => number | undefined;
  /** The token of an answer link. */
  readonly writeAnswerLink: (link: AnswerLink) => string;
  /** Resolves when the workspace shows the target as disabled. */
  readonly reportDisabled: (
    config: Pick<TargetConfig, 'id' | 'workspace'>,
    disabled: Omit<DisabledState, 'isReported'>,
  ) => Promise<void>;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** ISO 8601. */
  readonly isoTime: (at: number) => string;
  readonly wait: (ms: number) => Promise<void>;
  readonly warn: (message: string, evidence: unknown) => void;
}
