/** The commands of a run. Only the session itself sends them: no request or frame can. */
import type { AssistantMessage } from '../message.ts';
import type { ModelAnswered, ModelFailed } from '../model.ts';
import type { FileChange, ToolOutput } from '../tools/ports.ts';

/** The answer of a command. A command for another answer is late and changes nothing. */
interface AnswerPosition {
  readonly turnId: string;
  readonly step: number;
}

interface CallTarget {
  readonly turnId: string;
  readonly toolCallId: string;
}

interface RunCommands {
  /** `message` is the part of the answer that can be sent again; its content may be empty. */
  'model.answered': AnswerPosition &
    Pick<ModelAnswered, 'stopReason' | 'usage' | 'leftOut'> & {
      readonly message: AssistantMessage;
    };
  'model.failed': AnswerPosition & { readonly failure: Omit<ModelFailed, 'type'> };
  /** The pause before another request has ended. */
  'model.due': AnswerPosition;
  /** The process that waited for the answer died. */
  'model.lost': AnswerPosition;
  'tool.began': CallTarget;
  'tool.ended': CallTarget & {
    readonly output: ToolOutput;
    readonly file?: FileChange | undefined;
  };
  /** The process that ran the tool died. */
  'tool.lost': CallTarget;
}

type RunCommandType = keyof RunCommands;
export type RunCommandOf<T extends RunCommandType> = { readonly type: T } & RunCommands[T];
export type RunCommand = { [T in RunCommandType]: RunCommandOf<T> }[RunCommandType];

const RUN_COMMAND_TYPES: Readonly<Record<RunCommandType, true>> = {
  'model.answered': true,
  'model.failed': true,
  'model.due': true,
  'model.lost': true,
  'tool.began': true,
  'tool.ended': true,
  'tool.lost': true,
};

export function isRunCommand(command: { readonly type: string }): command is RunCommand {
  return Object.hasOwn(RUN_COMMAND_TYPES, command.type);
}
