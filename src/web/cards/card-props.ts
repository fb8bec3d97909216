/** What every card is given, whatever it asks. */
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import type { Viewer } from '../model/cards/outcome-words.ts';
import type { ReportSlow } from '../hooks/use-slow.ts';
import type { AddTextTarget } from '../hooks/use-text-targets.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { AnswerState } from './use-answer.ts';

/** Says something to the agent, and to nobody whose question it would answer; the same key is the same message. */
export type SendText = (text: string, idempotencyKey: string) => Promise<unknown>;

export interface InteractionCardProps {
  readonly interaction: Interaction;
  readonly session: { readonly id: string; readonly title: string | null };
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly me: Viewer;
  /** What was asked of this call before its agent changed it. */
  readonly changedFrom?: Interaction | undefined;
  /** Undefined without the scope `send`. */
  readonly onSendText?: SendText | undefined;
  /** False without the scope `answer`: it is shown and cannot be answered (UI-12). */
  readonly canAnswer: boolean;
  /** False while the connection is lost and what is shown may be old. */
  readonly isAnswerable?: boolean;
  /** An answer has been under way for a while. */
  readonly onSlow?: ReportSlow | undefined;
  readonly onSettled?: (interaction: Interaction) => void;
  /** Where there is a composer: how its text reaches this card. */
  readonly onTextTarget?: AddTextTarget | undefined;
  /** All of what can be approved here has been in the window. */
  readonly onSeen?: () => void;
  /** Where answers in the making are kept; default: this tab. */
  readonly store?: KeyValueStore;
  /** Whatever moves this card under a finger; Approve waits again after it. */
  readonly position?: unknown;
}

/** The part of a card that is about its kind. */
export interface CardBodyProps {
  readonly answering: AnswerState;
  readonly session: InteractionCardProps['session'];
  readonly clock: ServerClock;
  readonly store: KeyValueStore;
  readonly position: unknown;
  readonly onSeen: (() => void) | undefined;
  readonly onTextTarget: AddTextTarget | undefined;
  /** It is open, and this person may answer it now. */
  readonly isLive: boolean;
}
