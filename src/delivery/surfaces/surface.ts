/**
 * The port of a surface: the place where a target shows requests to people or programs, such as a webhook or a chat.
 *
 * A surface makes the outgoing requests of one attempt, reads their replies, and reads inbound messages into answers. It
 * decides neither when an attempt is made nor how often: queue, order, retries and disabling belong to the target and are
 * the same for every surface. It keeps nothing itself. Whatever it must find again, to retire a message that it has
 * shown, is one text for each interaction (`ShownMessage`), stored with the result of the attempt.
 */
import type { RequestedAnnouncement } from '../../core/delivery/webhook-body.ts';
import type { TargetSecret } from '../../core/delivery/webhook-signature.ts';
import type { Rejection } from '../../protocol/errors.ts';
import type { Announcement } from '../../protocol/schema/announcement.ts';
import type { MadeAnswerLink } from '../../protocol/schema/answer-link.ts';
import type { OutgoingPush } from './push/push-surface.ts';
import type { InboundAnswer } from '../../protocol/schema/target.ts';
import type { OutgoingMail } from './mail/compose-mail.ts';

export type { RequestedAnnouncement };

/** The target, as its surface sees it. */
export interface SurfaceTarget<Settings> {
  readonly id: string;
  readonly workspace: string;
  /** Where this service is reached from outside; undefined in a process without a server. */
  readonly origin: string | undefined;
  readonly audience: string | undefined;
  /** Made by this service; empty for a surface whose settings hold its secrets. */
  readonly secrets: readonly TargetSecret[];
  readonly settings: Settings;
}

export interface SurfaceRequest {
  /** POST unless given. */
  readonly method?: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** What came back; `problem` says why it counts as a failure. */
export interface SurfaceReply {
  readonly status?: number;
  readonly text: string;
  readonly retryAfter: string | null;
  readonly problem?: string;
}

/** Where a surface shows an interaction: text of its own, such as the id of a message. */
export interface ShownMessage {
  readonly reference: string;
  /** The interaction has settled: it must not be shown again. */
  readonly isRetired: boolean;
}

/** The type of a message that reports nothing. */
export const TEST_TYPE = 'target.test';

/** One attempt to deliver one announcement. */
export interface OutgoingDelivery {
  /** The same in every attempt. */
  readonly id: string;
  readonly at: number;
  /** Empty for a test. */
  readonly sessionId: string;
  /** Null for a test. */
  readonly announcement: Announcement | null;
  /** The request that the announcement is about; undefined when it is no longer stored, or there is none. */
  readonly requested: RequestedAnnouncement | undefined;
  /** Answers the request in the name of the audience; undefined without one, or where no address leads to this process. */
  readonly link: MadeAnswerLink | undefined;
  /** The id of the delivery of that request, which an inbound answer names; the own id for a request. */
  readonly showingId: string;
  /** What an earlier attempt or an earlier announcement of this interaction has stored. */
  readonly shown: ShownMessage | undefined;
}

export interface DeliveryResult {
  /** The last reply; listed with the delivery. Its `problem` makes the attempt a failure. */
  readonly reply: SurfaceReply;
  /** A repeat would fail in the same way: the delivery is dead. */
  readonly isPermanent?: boolean;
  /** The receiver is gone for good: its target is deleted. */
  readonly isGone?: boolean;
  /** Stored with the result. */
  readonly shown?: ShownMessage;
  /** An answer in the reply. */
  readonly answer?: InboundAnswer;
}

/** The environment of a surface. */
export interface SurfacePorts {
  /** Never rejects. */
  readonly send: (request: SurfaceRequest) => Promise<SurfaceReply>;
  readonly now: () => number;
  /** ISO 8601. */
  readonly isoTime: (at: number) => string;
}

export interface DeliveryPorts extends SurfacePorts {
  /** To a push service, which is public whatever the deployment allows its tools and targets. Never rejects. */
  readonly sendPush: (request: SurfaceRequest) => Promise<SurfaceReply>;
  /** Undefined where the deployment has no mail binding. Never rejects. */
  readonly sendBoundMail: ((mail: OutgoingMail) => Promise<SurfaceReply>) | undefined;
  /** Undefined when the keys of the device are not valid. */
  readonly encryptPush: (push: OutgoingPush) => Promise<SurfaceRequest | undefined>;
  /** Stores it at once: for what must be known after a crash in the middle of the attempt. */
  readonly remember: (shown: ShownMessage) => void;
  /** Whether the end of the interaction was delivered, also while this attempt was under way. */
  readonly isRetired: () => boolean;
}

/** A message of the receiver, exactly as it arrived. */
export interface SurfaceMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response to such a message. */
export interface SurfaceMessageReply {
  readonly status: number;
  /** JSON; empty for a response without a body. */
  readonly text: string;
}

/** The message belongs to another target, which this delivery names, and which verifies the message itself. */
export interface ForwardedMessage {
  readonly forwardTo: string;
}

/** An answer of a person or program behind the surface. */
export interface SurfaceAnswer extends InboundAnswer {
  readonly deliveryId: string;
  /** The person or program who answers. */
  readonly subject: string;
}

/** The record as JSON, as the answer route returns it. */
export type AnswerResult = { readonly ok: true; readonly json: string } | Rejection;

export interface ReceivingPorts extends SurfacePorts {
  /** The announcement that the delivery has shown; undefined for one that asks for no answer. */
  readonly findRequested: (
    deliveryId: string,
  ) => { readonly sessionId: string; readonly requested: RequestedAnnouncement } | undefined;
  /** Never rejects. */
  readonly answer: (answer: SurfaceAnswer) => Promise<AnswerResult>;
  /** Whether the delivery is one of this target. */
  readonly isOwn: (deliveryId: string) => boolean;
  /** False for a disabled target, whose receiver may not answer. */
  readonly isEnabled: boolean;
  /** Remembers a message. False: it came before. */
  readonly addReceived: (messageId: string) => boolean;
  /** Waits so long for the work, which goes on after that; undefined when it takes longer or fails. */
  readonly within: <Value>(ms: number, work: Promise<Value>) => Promise<Value | undefined>;
}

export interface Surface<Settings> {
  /** One attempt: announces, updates or retires. */
  deliver(
    target: SurfaceTarget<Settings>,
    delivery: OutgoingDelivery,
    ports: DeliveryPorts,
  ): Promise<DeliveryResult>;
  /** Left out: the receiver answers in its replies or by a POST to `answer.url`. */
  receive?(
    target: SurfaceTarget<Settings>,
    message: SurfaceMessage,
    ports: ReceivingPorts,
  ): Promise<SurfaceMessageReply | ForwardedMessage | Rejection>;
}
