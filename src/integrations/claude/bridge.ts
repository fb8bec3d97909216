/** The options of the bridge, and the events that it reports. Every default is the stricter choice. */
import { Holdpoint, type KindRequest } from '../../client/agent/holdpoint.ts';
import type { AskOptions } from '../../client/agent/requests.ts';
import type { Transport } from '../../client/transport.ts';
import { askedEvent, type TurnEvent } from '../../client/message-stream/turn-event.ts';
import { type Deciding, decidingFields } from '../../protocol/deciding.ts';
import type { PermissionMode, Interaction, JsonObject } from '../../protocol/types.ts';
import { ClientError } from '../../client/errors.ts';

export interface BridgeSettings {
  /**
   * Time for an answer; null is no deadline. Default: the setting of the session or the deployment; without one, ten minutes
   * for a tool or questions and five for a plan or a form.
   */
  readonly timeoutSeconds?: number | null | undefined;
  /** How long the server may be unreachable before the tool is denied (GATE-5). Default: 15. */
  readonly giveUpAfterSeconds?: number | undefined;
  /**
   * The same once a person is asked. Default: without limit, because their answer would be lost; the signal of the SDK still
   * ends the wait.
   */
  readonly giveUpOpenAfterSeconds?: number | undefined;
  /** How many people must approve a tool or a plan, who is asked, and whether who asks may decide. */
  readonly deciding?: Deciding | undefined;
  /** Whether the person may change the input and allow that. Default: true. */
  readonly allowEdit?: boolean | undefined;
  /**
   * The effect of "allow for session" in Claude Code, beside the rule in Holdpoint.
   * - `session` (default): its suggestions that allow this tool, until its session ends;
   * - `as-suggested`: all suggestions with their own destinations, which may be a settings file;
   * - `holdpoint`: nothing, so every call goes to Holdpoint and a revoked rule counts at once.
   */
  readonly remember?: 'session' | 'as-suggested' | 'holdpoint' | undefined;
  /**
   * What a call of a tool asks in place of an approval, by the name of the tool: a request of any kind, also of your own. The
   * tool runs with the `updatedInput` of its reply.
   */
  readonly tools?: Readonly<Record<string, WiredTool>> | undefined;
  /** Receives the events of the questions, to be shown between the messages of the SDK (STR-2). */
  readonly onEvent?: ((event: TurnEvent) => void) | undefined;
  /** Receives an approved plan. The SDK cannot clear its context, so the host must act on `clearContext`. */
  readonly onPlanApproved?: ((plan: ApprovedPlan) => void) | undefined;
  /** Receives the reason of a denial that no person, rule or mode decided. Default: a line on the console. */
  readonly onDenied?: ((toolName: string, cause: unknown) => void) | undefined;
}

export type WiredTool = (input: JsonObject) => Omit<KindRequest, 'toolName'>;

/** What the tool is wired to; no name that every object inherits is one. */
export function wiredTool({ tools }: Pick<Bridge, 'tools'>, name: string): WiredTool | undefined {
  return tools !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined;
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

/** For sessions and deployments without a setting. */
export const DEFAULT_TIMEOUT_SECONDS = { tool: 600, questions: 600, plan: 300, form: 300 } as const;

export interface Bridge extends BridgeSettings {
  readonly client: Holdpoint;
  /** The options of every question. */
  readonly how: AskOptions;
  /** Only of a bridge with hooks, which forget a call when its tool has ended. */
  readonly known: KnownCalls | undefined;
}

/** What a hook knows about calls that `canUseTool` may be asked about too, by the SDK's ids of these. */
export interface KnownCalls {
  /** The hook has opened their questions. */
  readonly asked: Set<string>;
  readonly edits: Map<string, PersonEdit>;
}

export interface PersonEdit {
  readonly toolName: string;
  readonly updatedInput: JsonObject;
  readonly changes: string;
}

export function bridgeOf(options: BridgeOptions): Bridge {
  const { timeoutSeconds, giveUpAfterSeconds, giveUpOpenAfterSeconds } = options;
  return {
    ...options,
    client: 'client' in options ? options.client : new Holdpoint(options),
    how: {
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      giveUpAfterSeconds,
      giveUpOpenAfterSeconds,
      // The SDK asks about a new call; an earlier cancelled or expired question is no answer to it.
      reopen: true,
    },
    known: undefined,
  };
}

/** By what a question is about; only a tool and a plan take the approvals of several people. */
const KIND_ASKED = {
  tool: 'approval',
  questions: 'question',
  plan: 'plan_review',
  form: 'form',
} as const satisfies Record<keyof typeof DEFAULT_TIMEOUT_SECONDS, string>;

export function howToAsk(
  { how, deciding = {} }: Pick<Bridge, 'how' | 'deciding'>,
  about: keyof typeof KIND_ASKED,
): AskOptions {
  return {
    ...how,
    ...decidingFields(KIND_ASKED[about], deciding),
    defaultTimeoutSeconds: DEFAULT_TIMEOUT_SECONDS[about],
  };
}

type Watched = Pick<Bridge, 'onEvent'>;

/** Returns the `onOpened` of a question. */
export function reportAsked(watched: Watched): (asked: Interaction) => void {
  return (asked) => reportEvent(watched, askedEvent(asked));
}

/** Without a record, a rule or the mode decided: no question was reported as asked, so none ends. */
export function reportResolved(
  watched: Watched,
  { interaction }: { readonly interaction?: Interaction },
): void {
  reportEvent(watched, interaction && resolvedEvent(interaction));
}

function reportEvent({ onEvent }: Watched, event: TurnEvent | undefined): void {
  if (event !== undefined) runListener(() => onEvent?.(event));
}

/** A listener must not change the decision, also by an error. */
export function runListener(listener: () => void): void {
  try {
    listener();
  } catch (cause) {
    console.warn('holdpoint: a listener of the bridge failed:', cause);
  }
}

/** The record of an aborted question, if it could be cancelled, so that its end is reported too. */
export function cancelledQuestion(cause: unknown): { readonly interaction?: Interaction } {
  if (!(cause instanceof ClientError) || cause.code !== 'aborted') return {};
  const interaction = cause.details?.interaction as Interaction | undefined;
  return interaction === undefined ? {} : { interaction };
}

function resolvedEvent(interaction: Interaction): TurnEvent | undefined {
  const { toolCallId, interactionId, outcome } = interaction;
  if (outcome === null) return undefined;
  return { type: 'interaction_resolved', toolCallId, interactionId, outcome, interaction };
}
