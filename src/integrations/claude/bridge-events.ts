/** What a question says to whoever watches the run: that it is asked, and how it ended. */
import { ClientError } from '../../client/errors.ts';
import type { TurnEvent } from '../../client/message-stream/turn-event.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import type { Bridge } from './options.ts';

type Watched = Pick<Bridge, 'onEvent'>;

/** For the `onOpened` of a question. */
export function tellAsked(watched: Watched): (asked: Interaction) => void {
  return (asked) => tell(watched, askedEvent(asked));
}

/** What a rule or the mode decided was never asked, so it does not end either. */
export function tellResolved(
  watched: Watched,
  { interaction }: { readonly interaction?: Interaction },
): void {
  tell(watched, interaction && resolvedEvent(interaction));
}

function tell({ onEvent }: Watched, event: TurnEvent | undefined): void {
  if (event !== undefined) told(() => onEvent?.(event));
}

/** Whoever only watches decides nothing, also by failing. */
export function told(listener: () => void): void {
  try {
    listener();
  } catch (cause) {
    console.warn('holdpoint: a listener of the bridge failed:', cause);
  }
}

/** The record of what was aborted, if it could be cancelled: whoever saw the question sees it end. */
export function takenBack(cause: unknown): { readonly interaction?: Interaction } {
  if (!(cause instanceof ClientError) || cause.code !== 'aborted') return {};
  const interaction = cause.details?.interaction as Interaction | undefined;
  return interaction === undefined ? {} : { interaction };
}

function askedEvent(interaction: Interaction): TurnEvent | undefined {
  const { kind, toolCallId, interactionId, toolName, request } = interaction;
  const about = { toolCallId, interactionId };
  switch (kind) {
    case 'approval': {
      const input = JSON.stringify(request.input);
      return { type: 'approval_required', toolName, input, ...about };
    }
    case 'question':
      return { type: 'question_prompt', questions: request.questions as JsonObject[], ...about };
    case 'plan_review': {
      const plan = typeof request.plan === 'string' ? request.plan : '';
      return { type: 'plan_review_required', plan, ...about };
    }
    case 'form':
      return { type: 'form_required', request, ...about };
    default:
      return undefined;
  }
}

function resolvedEvent(interaction: Interaction): TurnEvent | undefined {
  const { toolCallId, interactionId, outcome } = interaction;
  if (outcome === null) return undefined;
  return { type: 'interaction_resolved', toolCallId, interactionId, outcome, interaction };
}
