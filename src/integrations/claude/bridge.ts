/** How the bridge asks; every default is the one that lets less happen. */
import { Holdpoint } from '../../client/agent/holdpoint.ts';
import type { AskOptions } from '../../client/agent/requests.ts';
import type { Transport } from '../../client/transport.ts';
import type { TurnEvent } from '../../client/message-stream/turn-event.ts';
import type { PermissionMode, Interaction, JsonObject } from '../../protocol/types.ts';
import { ClientError } from '../../client/errors.ts';

export interface BridgeSettings {
  /**
   * How long a person has; null waits for ever. Left out: what the session or the deployment says, and where neither
   * does, ten minutes for a tool or questions and five for a plan or a form.
   */
  readonly timeoutSeconds?: number | null | undefined;
  /** How long the server may be out of reach before the tool is denied (GATE-4). Default: a minute. */
  readonly giveUpAfterMs?: number | undefined;
  /**
   * The same once a person is asked. Default: for ever, because their answer would be lost; the
   * signal of the SDK still ends it.
   */
  readonly waitAtMostMs?: number | undefined;
  /** Whether the person may change the input and allow that. Default: true. */
  readonly allowEdit?: boolean | undefined;
  /**
   * What "allow for session" leaves behind in Claude Code, beside the rule that Holdpoint keeps.
   * - `session` (default): those of its suggestions that allow this very tool, until it ends;
   * - `as-suggested`: all of them where it wants them, which may be a settings file;
   * - `holdpoint`: nothing, so that every call is asked of Holdpoint and a revoked rule counts at once.
   */
  readonly remember?: 'session' | 'as-suggested' | 'holdpoint' | undefined;
  /** What happens to the questions, to be shown between the messages of the SDK (STR-2). */
  readonly onEvent?: ((event: TurnEvent) => void) | undefined;
  /** An approved plan; the SDK cannot forget what it knows, so `clearContext` is for the host. */
  readonly onPlanApproved?: ((plan: ApprovedPlan) => void) | undefined;
  /** Why a tool was denied without anybody having said so. Default: a line on the console. */
  readonly onDenied?: ((toolName: string, cause: unknown) => void) | undefined;
}

export interface ApprovedPlan {
  readonly plan: string | undefined;
  readonly clearContext: boolean;
  readonly permissionMode: PermissionMode;
}

export type BridgeOptions = BridgeSettings &
  (
    | { readonly client: Holdpoint }
    | { readonly transport: Transport; readonly session?: string | undefined }
  );

/** In seconds, where nobody else says. */
export const TIME_TO_ANSWER = { tool: 600, questions: 600, plan: 300, form: 300 } as const;

/** The SDK gives no deadline for a denial; without a bound a model would hang on a dead address. */
const GIVE_UP_AFTER_MS = 60_000;

export interface Bridge extends BridgeSettings {
  readonly client: Holdpoint;
  /** What every question of the bridge has in common. */
  readonly how: AskOptions;
}

export function bridgeOf(options: BridgeOptions): Bridge {
  const { timeoutSeconds, giveUpAfterMs, waitAtMostMs } = options;
  return {
    ...options,
    client: 'client' in options ? options.client : new Holdpoint(options),
    how: {
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      giveUpAfterMs: giveUpAfterMs ?? GIVE_UP_AFTER_MS,
      waitAtMostMs: waitAtMostMs ?? Number.POSITIVE_INFINITY,
      // The SDK asks because it wants to know now; what ended before is no answer to that.
      reopen: true,
    },
  };
}

/** What a question says to whoever watches the run: that it is asked, and how it ended. */
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
