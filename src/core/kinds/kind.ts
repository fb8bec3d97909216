/**
 * The interface of a kind of interaction. A new kind is a module with this shape and a line in `kinds/index.ts`;
 * docs/new-kind.md lists the few places that know kinds by name.
 *
 * A kind never settles an interaction: it turns an answer into an effect (`AnswerEffect`), and `settle.ts` writes the
 * events, so that every ending of every kind is written the same way.
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
  /** The reason why this request may have no default answer although its kind allows one. */
  defaultAnswerProblem?(request: JsonObject): string | undefined;
  /** A problem that the schema of the request cannot express. */
  problem?(request: JsonObject): string | undefined;
  /** Fills in omitted fields before the request is shown, digested or stored. */
  complete(request: JsonObject): JsonObject;
  /** The exact input a person is shown, which digests bind. */
  input(request: JsonObject): JsonObject;
  interpret(interaction: Interaction, answer: JsonObject): AnswerEffect;
  /** Whether chat text that names no interaction can answer this interaction now. */
  takesText(interaction: Interaction): boolean;
  /** Undefined if the text is no answer. */
  fromText(interaction: Interaction, text: string): JsonObject | undefined;
  /** The message for text that is no answer to this interaction. */
  readonly textHint: string;
  expired(interaction: Interaction): string;
  readonly cancelled: string;
  reply(interaction: Interaction): AgentReply;
}

export type KindRegistry = ReadonlyMap<string, Kind>;
