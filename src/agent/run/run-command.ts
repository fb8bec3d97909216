/** What moves a run besides the commands of people: no request and no frame can say it. */
import type { AssistantMessage } from '../message.ts';
import type { ModelAnswered, ModelFailed } from '../model.ts';
import type { FileChange, ToolOutput } from '../tools/ports.ts';

/** Which answer it is about; what comes for another one comes too late, and changes nothing. */
interface AnswerPosition {
  readonly turnId: string;
  readonly step: number;
}

interface CallTarget {
  readonly turnId: string;
  readonly toolCallId: string;
}

interface RunCommands {
  /** `message` is what of the answer can be sent again; its content may be empty. */
  'model.answered': AnswerPosition &
    Pick<ModelAnswered, 'stopReason' | 'usage' | 'leftOut'> & {
      readonly message: AssistantMessage;
    };
  'model.failed': AnswerPosition & { readonly failure: Omit<ModelFailed, 'type'> };
  /** The pause before another try is over. */
  'model.due': AnswerPosition;
  /** The process that waited for the answer is gone. */
  'model.lost': AnswerPosition;
  'tool.began': CallTarget;
  'tool.ended': CallTarget & {
    readonly output: ToolOutput;
    readonly file?: FileChange | undefined;
  };
  /** The process that ran it is gone. */
  'tool.lost': CallTarget;
}

export type RunCommandType = keyof RunCommands;
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
