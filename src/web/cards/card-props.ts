/** The props of every card. */
import type { ComponentChildren } from 'preact';
import type { Transport } from '../../client/transport.ts';
import type { AgentState, Interaction, Rule } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import type { Labels } from '../../protocol/schema/audience.ts';
import type { Person } from '../model/person.ts';
import type { ReportSlow } from '../hooks/use-async-action.tsx';
import type { AddTextTarget } from '../hooks/use-text-targets.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { AnswerState } from './use-answer.ts';

/**
 * Sends a text to the agent. A text that would answer a request goes to the composer instead. The same key means the
 * same message.
 */
export type SendText = (text: string, idempotencyKey: string) => Promise<unknown>;

/** What became of the call after its approval was settled. */
export interface CallInRow {
  readonly status?: ComponentChildren;
  /** Below the input. */
  readonly result?: ComponentChildren;
}

/** The session of a card; its labels say which of several like it this is. */
export interface CardSession {
  readonly id: string;
  readonly title: string | null;
  readonly labels?: Labels | undefined;
}

export interface InteractionCardProps {
  readonly interaction: Interaction;
  readonly session: CardSession;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly me: Person;
  /** The previous request for this tool call, before the agent changed it. */
  readonly changedFrom?: Interaction | undefined;
  /** Undefined without the scope `send`. */
  readonly onSendText?: SendText | undefined;
  /** False without the scope `answer`: the card is read-only (UI-12). */
  readonly canAnswer: boolean;
  /** False while the connection is lost and the page may be out of date. */
  readonly isAnswerable?: boolean;
  /** Reports that an answer is taking long. */
  readonly onSlow?: ReportSlow | undefined;
  readonly onSettled?: (interaction: Interaction) => void;
  /** Present beside a composer: registers this card as a target of its text. */
  readonly onTextTarget?: AddTextTarget | undefined;
  /** Everything that this card approves has been in the window. */
  readonly onSeen?: () => void;
  /** Stores drafts of answers; default: this tab. */
  readonly store?: KeyValueStore;
  /** The keys of the inbox act on this card. */
  readonly isInInbox?: boolean;
  /** The person went to it by a key: it works once it was seen. */
  readonly isAwaited?: boolean | undefined;
  /** Present in a conversation, where a settled approval is one row with its call. */
  readonly row?: CallInRow;
  /** A value that changes whenever the card moves on the screen; Approve is then blocked again for a moment. */
  readonly position?: unknown;
}

/** The props of the body, the part of a card that depends on the kind. */
export interface CardBodyProps {
  readonly answering: AnswerState;
  readonly transport: Transport;
  readonly session: InteractionCardProps['session'];
  readonly clock: ServerClock;
  readonly store: KeyValueStore;
  readonly position: unknown;
  readonly onSeen: (() => void) | undefined;
  readonly onTextTarget: AddTextTarget | undefined;
  readonly isInInbox: boolean;
  readonly isAwaited: boolean | undefined;
  /** The body is behind the line of a settled approval, which shows the reason itself. */
  readonly isInRow: boolean;
  /** The interaction is open, and this person may answer it now. */
  readonly isLive: boolean;
}

/** What the cards and tool rows of a conversation share, beside their own blocks. */
export interface CardContext {
  readonly session: CardSession;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly me: Person;
  /** Changes when the names of people are read: blocks are drawn again. */
  readonly names: number | undefined;
  readonly canAnswer: boolean;
  /** The built-in agent runs this session and reports everything it does. */
  readonly hasOwnAgent: boolean;
  readonly isAnswerable: boolean;
  /** Imported history is drawn: its messages are not in the log, and no link leads to one. */
  readonly hasHistory: boolean;
  readonly open: readonly Interaction[];
  /** By interaction. */
  readonly agents: ReadonlyMap<string, AgentState>;
  /** The rules of the session. */
  readonly rules: readonly Rule[];
  /** The summary that the person may take back. */
  readonly restorable: number | undefined;
  readonly onTextTarget: AddTextTarget;
  readonly onSendText: SendText | undefined;
  readonly onSlow: ReportSlow;
}
