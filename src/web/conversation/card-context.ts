/** What the cards and tool rows of a conversation share, beside their own blocks. */
import type { Transport } from '../../client/transport.ts';
import type { Interaction, Rule } from '../../protocol/types.ts';
import type { SendText } from '../cards/card-props.ts';
import type { ServerClock } from '../clock.ts';
import type { ReportSlow } from '../hooks/use-async-action.tsx';
import type { AddTextTarget } from '../hooks/use-text-targets.ts';
import type { Person } from '../model/person.ts';

export interface CardContext {
  readonly session: { readonly id: string; readonly title: string | null };
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
  /** The rules of the session. */
  readonly rules: readonly Rule[];
  readonly onTextTarget: AddTextTarget;
  readonly onSendText: SendText | undefined;
  readonly onSlow: ReportSlow;
}
