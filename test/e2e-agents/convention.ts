/** What a convention must give the run: how its agent starts, and how its model calls a tool and asks questions. */
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';
import type { ToolUse } from '../e2e-claude/messages-api.ts';
import type { AgentStage } from './agent-stage.ts';

export const CASES = {
  approve: 'approve',
  edit: 'edit',
  deny: 'deny with a reason',
  question: 'question with several answers',
  expiry: 'expiry',
  'server-restart': 'server killed while it waits',
  'agent-killed': 'agent killed while it waits',
  'answer-between': 'answer while the agent is dead',
  'wrong-credential': 'wrong credential',
  'server-away': 'two calls while no server runs',
  parallel: 'three calls in one message',
} as const;
export type CaseName = keyof typeof CASES;

export interface AskedQuestion {
  readonly question: string;
  readonly header: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect: boolean;
}

export interface AgentProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Called before the first start of a scene; both its starts run the same program. */
export type ProgramOf = (scene: string, prompt: string) => AgentProgram | Promise<AgentProgram>;

export interface Convention {
  /** The word that selects it on the command line. */
  readonly name: string;
  /** The row of the table. */
  readonly title: string;
  /** Installs what it needs, and returns how its agent starts with a prompt. */
  prepare(stage: AgentStage): Promise<ProgramOf>;
  /** The call with which the model runs a shell command. */
  runCall(command: string): ToolUse;
  /** The call with which the model asks; undefined if the convention has no questions. */
  questionCall?(questions: readonly AskedQuestion[]): ToolUse;
  /** Another way in which a person answers than the route for it; rejects if the answer is refused. */
  giveAnswer?(
    stage: AgentStage,
    scene: string,
    asked: Interaction,
    answer: JsonObject,
  ): Promise<void>;
  /** Looks at the whole session after its case; returns the faults. */
  check?(stage: AgentStage, scene: string): Promise<readonly string[]>;
  /** How a person answers those questions, if not by index. */
  answerQuestions?(): object;
  /** How a person approves and denies, if the convention has choices of its own. */
  readonly approveAnswer?: object;
  readonly denyAnswer?: object;
  /** Cases that the convention cannot have, with the reason for the table. */
  readonly impossible: Readonly<Partial<Record<CaseName, string>>>;
  /** A killed agent goes on with the same call, under the same id; otherwise its model calls again, under a new one. */
  readonly keepsIds?: true;
  /** The server waits on behalf of the agent, and does not learn of its death before its request ends. */
  readonly isHeldByServer?: true;
  /** True if its model reads answers as Holdpoint writes them; otherwise the convention has a form of its own. */
  readonly readsLists?: true;
  /** True if one process makes all calls of the agent, so that it can remember a server that is away. */
  readonly remembersAway?: true;
  /** False if the convention carries no text to the model with a denial. */
  readonly carriesReason: boolean;
}
