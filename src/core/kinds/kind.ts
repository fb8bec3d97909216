/**
 * What a kind of interaction must say about itself. Nothing else in the system knows kinds by name,
 * so a new one is a module with this shape and a line in `kinds/index.ts`.
 *
 * A kind never settles anything: it turns an answer into what the answer *means* (`Given`), and
 * `settle.ts` writes the events, so that every ending of every kind goes one way.
 */
import type * as z from 'zod';
import type { Rejection } from '../../protocol/errors.ts';
import type {
  Action,
  AgentReply,
  Answers,
  Interaction,
  Outcome,
  Presentation,
} from '../../protocol/schema/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { PermissionMode } from '../../protocol/schema/session.ts';

export type AnswerEffect =
  | Rejection
  | {
      readonly ok: true;
      readonly type: 'advance';
      readonly change: 'step' | 'feedback';
      readonly current?: number;
      readonly partialAnswers?: Answers;
      readonly awaitingFeedback?: boolean;
    }
  | {
      readonly ok: true;
      readonly type: 'settle';
      readonly action: Action;
      readonly outcome: Outcome;
      readonly reason?: string;
      readonly answers?: Answers;
      readonly decision?: JsonObject;
      readonly values?: JsonObject;
      readonly updatedInput?: JsonObject;
      /** A rule the person chose to keep: for the tool, or for exactly this input. */
      readonly keepRule?: 'tool' | 'exact';
      /** The mode an approved plan asks for. */
      readonly permissionMode?: PermissionMode;
    };

export interface Kind {
  readonly name: string;
  readonly presentation: Presentation;
  /** An object, because its fields stand beside the common ones in the body of an opening. */
  readonly request: z.ZodObject & z.ZodType<JsonObject>;
  readonly answer: z.ZodType<JsonObject>;
  /** Whether rules and the permission mode may decide instead of a person. */
  readonly gated: boolean;
  /** Whether an opener may declare an answer for the deadline (`onExpire: {answer}`). */
  readonly allowsDefaultAnswer: boolean;
  /** Why this request may have none, where the others of its kind may. */
  defaultAnswerProblem?(request: JsonObject): string | undefined;
  /** What the schema of the request cannot say. */
  problem?(request: JsonObject): string | undefined;
  /** What the opener left out, before anything is shown, digested or kept. */
  complete(request: JsonObject): JsonObject;
  /** The exact input a person is shown, which digests bind. */
  input(request: JsonObject): JsonObject;
  interpret(interaction: Interaction, answer: JsonObject): AnswerEffect;
  /** Whether chat text can answer it now, without being addressed to it. */
  takesText(interaction: Interaction): boolean;
  /** Text as an answer; undefined if these words are not one. */
  fromText(interaction: Interaction, text: string): JsonObject | undefined;
  /** Why the words are no answer, when text was addressed to this interaction. */
  readonly textHint: string;
  expired(interaction: Interaction): string;
  readonly cancelled: string;
  reply(interaction: Interaction): AgentReply;
}

export type KindRegistry = ReadonlyMap<string, Kind>;
