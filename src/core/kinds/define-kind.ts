/**
 * Defines a kind in its own types, and returns the `Kind` that the other modules use.
 *
 * Input that passed the schema of a kind is JSON; a stored request was checked when it was opened and is read back as
 * the type of the kind. The reply to the agent follows from the outcome alike for every kind: `approved` and `answered`
 * allow, every other outcome denies.
 */
import type * as z from 'zod';
import type { AgentReply, Interaction, Presentation } from '../../protocol/schema/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { AnswerEffect, Kind } from './kind.ts';

export type { AnswerEffect } from './kind.ts';

export interface KindDefinition<Request, Answer> {
  readonly name: string;
  readonly presentation: Presentation;
  /** One flat object: its fields stand beside the common ones in the body of an opening. */
  readonly request: z.ZodObject & z.ZodType<Request>;
  readonly answer: z.ZodType<Answer>;
  readonly gated: boolean;
  readonly allowsDefaultAnswer: boolean;
  defaultAnswerProblem?(request: Request): string | undefined;
  problem?(request: Request): string | undefined;
  /** Left out where a request is shown as it was given. */
  complete?(request: Request): Request;
  input(request: Request): object;
  interpret(interaction: Interaction, request: Request, answer: Answer): AnswerEffect;
  takesText(interaction: Interaction, request: Request): boolean;
  fromText(interaction: Interaction, text: string, request: Request): Answer | undefined;
  readonly textHint: string;
  expired(interaction: Interaction): string;
  readonly cancelled: string;
  allow(interaction: Interaction, request: Request): { updatedInput: object; message?: string };
  /** Left out where no answer is a no. */
  denied?(interaction: Interaction): string;
}

export function defineKind<Request, Answer>(kind: KindDefinition<Request, Answer>): Kind {
  const requestOf = (interaction: Interaction) => interaction.request as Request;
  const { problem, defaultAnswerProblem } = kind;
  return {
    name: kind.name,
    presentation: kind.presentation,
    request: kind.request as z.ZodObject & z.ZodType<JsonObject>,
    answer: kind.answer as unknown as z.ZodType<JsonObject>,
    gated: kind.gated,
    allowsDefaultAnswer: kind.allowsDefaultAnswer,
    ...(defaultAnswerProblem && {
      defaultAnswerProblem: (request) => defaultAnswerProblem(request as Request),
    }),
    ...(problem && { problem: (request) => problem(request as Request) }),
    complete: (request) => kind.complete?.(request as Request) ?? request,
    input: (request) => kind.input(request as Request) as JsonObject,
    interpret: (interaction, answer) =>
      kind.interpret(interaction, requestOf(interaction), answer as Answer),
    takesText: (interaction) => kind.takesText(interaction, requestOf(interaction)),
    fromText: (interaction, text) =>
      kind.fromText(interaction, text, requestOf(interaction)) as JsonObject | undefined,
    textHint: kind.textHint,
    expired: kind.expired,
    cancelled: kind.cancelled,
    reply: (interaction) => replyToAgent(kind, interaction, requestOf(interaction)),
  };
}

function replyToAgent<Request, Answer>(
  kind: KindDefinition<Request, Answer>,
  interaction: Interaction,
  request: Request,
): AgentReply {
  switch (interaction.outcome) {
    case 'approved':
    case 'answered':
      return { behavior: 'allow', ...kind.allow(interaction, request) } as AgentReply;
    case 'denied':
      return { behavior: 'deny', message: kind.denied?.(interaction) ?? kind.cancelled };
    case 'expired':
      return { behavior: 'deny', message: kind.expired(interaction) };
    case 'superseded':
      return {
        behavior: 'deny',
        message: 'Replaced by a changed request; wait for the outcome of that request',
      };
    case 'cancelled':
    case null:
      return { behavior: 'deny', message: kind.cancelled };
  }
}
