/** The parts of ACP version 1 that the bridge uses, written out because its SDK is no dependency. */
type Nullable<Value> = Value | null | undefined;

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`. */
  readonly kind: string;
}

export interface PermissionRequest {
  readonly sessionId: string;
  readonly toolCall: {
    readonly toolCallId: string;
    readonly name?: Nullable<string>;
    readonly title?: Nullable<string>;
    readonly kind?: Nullable<string>;
    readonly rawInput?: unknown;
    readonly content?: Nullable<readonly unknown[]>;
    readonly locations?: Nullable<readonly unknown[]>;
  };
  readonly options: readonly PermissionOption[];
}

/** Which of the outcomes of Holdpoint it was, and the words of the person: ACP itself has no place for them. */
export interface OutcomeMeta {
  readonly [key: string]: unknown;
  readonly holdpoint: { readonly outcome: string; readonly message?: string };
}

export interface PermissionResponse {
  outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' };
  _meta?: OutcomeMeta;
}

export interface ElicitationRequest {
  readonly mode: string;
  readonly message: string;
  readonly requestedSchema?: unknown;
  readonly url?: unknown;
  readonly elicitationId?: unknown;
}

export type ElicitationResponse = (
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' }
) & { _meta?: OutcomeMeta };

/** The context of a handler in the SDK of ACP. */
export interface RequestContext<Params> {
  readonly params: Params;
  readonly signal?: AbortSignal | undefined;
}
