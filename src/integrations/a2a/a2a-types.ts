/** The parts of `@a2a-js/sdk` version 1 that the bridge uses, written out because the SDK is no dependency. */

export interface A2aPart {
  /** The case is `text`, `data`, `url` or `raw`. */
  readonly content?: { readonly $case: string; readonly value: unknown } | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly filename: string;
  readonly mediaType: string;
}

export interface A2aMessage {
  readonly messageId: string;
  readonly contextId: string;
  readonly taskId: string;
  readonly role: number;
  readonly parts: readonly A2aPart[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly extensions: readonly string[];
  readonly referenceTaskIds: readonly string[];
}

export interface A2aStatus {
  readonly state: number;
  readonly message: A2aMessage | undefined;
  readonly timestamp: string | undefined;
}

export interface A2aTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: A2aStatus | undefined;
  readonly history: readonly A2aMessage[];
}

/** One of `message`, `task`, `statusUpdate` and `artifactUpdate`. */
export interface A2aEvent {
  readonly kind: string;
  readonly data: object;
}

export interface A2aBus {
  publish(event: A2aEvent): void;
  on(name: 'event', listener: (event: A2aEvent) => void): unknown;
  off(name: 'event', listener: (event: A2aEvent) => void): unknown;
}

/** What an execution is about: a message, and the task that it belongs to. */
export interface A2aRequest {
  readonly taskId: string;
  readonly contextId: string;
  /** The caller, as the server of the agent knows it. */
  readonly context: object;
  /** As it was stored when the message came; missing for the first message of a task. */
  readonly task?: A2aTask | undefined;
  readonly userMessage: A2aMessage;
}

export interface A2aHandler {
  sendMessage(params: A2aMessageToSend, context: object): Promise<unknown>;
}

export interface A2aMessageToSend {
  readonly tenant: string;
  readonly message: A2aMessage | undefined;
  readonly configuration:
    | {
        readonly acceptedOutputModes: readonly string[];
        readonly taskPushNotificationConfig: object | undefined;
        readonly returnImmediately: boolean;
      }
    | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** The numbers of the enumerations `Role` and `TaskState`. */
export const ROLE = { user: 1, agent: 2 } as const;
export const STATE = {
  working: 2,
  completed: 3,
  failed: 4,
  canceled: 5,
  inputRequired: 6,
  rejected: 7,
} as const;

/** The SDK ends every request and stream at these, and saves nothing that follows. */
const LAST_STATES: readonly number[] = [
  STATE.completed,
  STATE.failed,
  STATE.canceled,
  STATE.inputRequired,
  STATE.rejected,
];

export function isLast({ kind, data }: A2aEvent): boolean {
  if (kind === 'message') return true;
  return kind === 'statusUpdate' && LAST_STATES.includes(a2aStatusOf(data)?.state ?? 0);
}

export function a2aStatusOf(data: object): A2aStatus | undefined {
  return Reflect.get(data, 'status') as A2aStatus | undefined;
}
