/**
 * The points at which the server is killed. Each is named by an observation of the harness: at its model, its tools,
 * its person, or in the log.
 *
 * An observation at the model or a tool is exact, because the killed server is waiting for their reply. An event in the
 * log or an acknowledgement arrives a moment after the commit; `jitterMs` spreads the kills over the time that follows.
 */
import type { SceneName } from './scenes.ts';

export type Point =
  | 'sent:message'
  | 'ack:message'
  | 'model:arriving'
  | 'model:begun'
  | 'model:middle'
  | 'model:ended'
  | 'summary:asked'
  | 'summary:begun'
  | 'summary:middle'
  | 'summary:ended'
  | 'log:tool_call'
  | 'log:client_call'
  | 'log:tool_result'
  | 'log:interaction_request'
  | 'log:session_status'
  | 'log:conversation_compacted'
  | `tool:arriving:${string}`
  | `tool:ran:${string}`
  | `tool:answered:${string}`
  | 'sent:second'
  | 'ack:second'
  | 'sent:answer'
  | 'ack:answer'
  | 'sent:result'
  | 'ack:result'
  | 'sent:interrupt'
  | 'ack:interrupt'
  | 'sent:restore'
  | 'ack:restore';

interface Kill {
  readonly point: Point;
  /** Which occurrence of the point since the kill before, counted from 1; default 1. */
  readonly nth?: number;
  /** Kills after a random delay of up to this long; default at once. */
  readonly jitterMs?: number;
}

export interface Boundary {
  readonly name: string;
  readonly scene: SceneName;
  readonly kills: readonly Kill[];
  /** The person does not answer, or the client does not run its tool, before the kill; or the person never answers. */
  readonly holds?: 'answers' | 'results' | 'all answers';
  /** How long the server stays down. */
  readonly downMs?: number;
  /** After the kill the turn can continue without a client, and the harness can observe that. */
  readonly goesOnAlone?: true;
  /** After the kill the turn has a question for people, who look at the inbox alone. */
  readonly showsInInbox?: true;
}

const MAIL_RAN: Kill = { point: 'tool:ran:Mail' };

export const BOUNDARIES: readonly Boundary[] = [
  { name: 'message on its way', scene: 'talk', kills: [{ point: 'sent:message', jitterMs: 8 }] },
  {
    name: 'message acknowledged, model not called',
    scene: 'work',
    kills: [{ point: 'ack:message' }],
    goesOnAlone: true,
  },
  {
    name: 'model called, nothing read',
    scene: 'work',
    kills: [{ point: 'model:arriving' }],
    goesOnAlone: true,
  },
  {
    name: 'first byte of the answer',
    scene: 'work',
    kills: [{ point: 'model:begun', jitterMs: 5 }],
    goesOnAlone: true,
  },
  {
    name: 'in the middle of the answer',
    scene: 'work',
    kills: [{ point: 'model:middle', jitterMs: 5 }],
    goesOnAlone: true,
  },
  {
    name: 'right after the end of the answer',
    scene: 'work',
    kills: [{ point: 'model:ended', jitterMs: 6 }],
    goesOnAlone: true,
  },
  { name: 'calls logged', scene: 'work', kills: [{ point: 'log:tool_call' }], goesOnAlone: true },
  {
    name: 'tool begun, request not read',
    scene: 'mail',
    kills: [{ point: 'tool:arriving:Mail' }],
  },
  {
    name: 'tool has its effect, no answer',
    scene: 'mail',
    kills: [MAIL_RAN],
    showsInInbox: true,
  },
  { name: 'while the tool runs', scene: 'work', kills: [{ ...MAIL_RAN, jitterMs: 20 }] },
  { name: 'tool run again, killed again', scene: 'mail', kills: [MAIL_RAN, MAIL_RAN] },
  {
    name: 'idempotent tool has its effect, no answer',
    scene: 'work',
    kills: [{ point: 'tool:ran:Lookup' }],
    goesOnAlone: true,
  },
  {
    name: 'right after the tool answered',
    scene: 'mail',
    kills: [{ point: 'tool:answered:Mail', jitterMs: 6 }],
  },
  {
    name: 'parked on a person',
    scene: 'work',
    kills: [{ point: 'log:interaction_request', jitterMs: 60 }],
    holds: 'answers',
    showsInInbox: true,
  },
  {
    name: 'parked, and the inbox not told',
    scene: 'plan',
    kills: [{ point: 'log:interaction_request', jitterMs: 100 }],
    holds: 'answers',
    showsInInbox: true,
  },
  {
    name: 'parked until the deadline is over',
    scene: 'late',
    kills: [{ point: 'log:interaction_request', jitterMs: 400 }],
    holds: 'all answers',
    downMs: 1_200,
    goesOnAlone: true,
  },
  {
    name: 'second message on its way, parked',
    scene: 'queue',
    kills: [{ point: 'sent:second', jitterMs: 8 }],
    holds: 'answers',
  },
  {
    name: 'second message acknowledged, parked',
    scene: 'queue',
    kills: [{ point: 'ack:second' }],
    holds: 'answers',
  },
  { name: 'answer on its way', scene: 'work', kills: [{ point: 'sent:answer', jitterMs: 8 }] },
  { name: 'answer acknowledged', scene: 'work', kills: [{ point: 'ack:answer' }] },
  {
    name: 'last result logged, model not called',
    scene: 'work',
    kills: [{ point: 'log:tool_result', nth: 4 }],
    goesOnAlone: true,
  },
  {
    name: 'results back, nothing of the next answer',
    scene: 'work',
    kills: [{ point: 'model:arriving', nth: 2 }],
    goesOnAlone: true,
  },
  {
    name: 'pause before the next try',
    scene: 'busy',
    kills: [{ point: 'log:session_status', jitterMs: 400 }],
    goesOnAlone: true,
  },
  {
    name: 'client tool is waited for',
    scene: 'work',
    kills: [{ point: 'log:client_call', jitterMs: 40 }],
    holds: 'results',
  },
  {
    name: 'client result on its way',
    scene: 'work',
    kills: [{ point: 'sent:result', jitterMs: 8 }],
  },
  {
    name: 'client result acknowledged',
    scene: 'work',
    kills: [{ point: 'ack:result' }],
    goesOnAlone: true,
  },
  {
    name: 'plan approval on its way',
    scene: 'plan',
    kills: [{ point: 'sent:answer', jitterMs: 8 }],
  },
  {
    name: 'plan approved, context cleared',
    scene: 'plan',
    kills: [{ point: 'ack:answer' }],
    goesOnAlone: true,
  },
  {
    name: 'first answer after the plan',
    scene: 'plan',
    kills: [{ point: 'model:middle', nth: 2 }],
    goesOnAlone: true,
  },
  {
    name: 'interrupt on its way',
    scene: 'slow',
    kills: [{ point: 'sent:interrupt', jitterMs: 8 }],
  },
  { name: 'interrupt acknowledged', scene: 'slow', kills: [{ point: 'ack:interrupt' }] },
  {
    name: 'summary asked for, nothing of it',
    scene: 'long',
    kills: [{ point: 'summary:asked' }],
    goesOnAlone: true,
  },
  {
    name: 'in the middle of the summary',
    scene: 'long',
    kills: [{ point: 'summary:middle', jitterMs: 5 }],
    goesOnAlone: true,
  },
  {
    name: 'right after the end of the summary',
    scene: 'long',
    kills: [{ point: 'summary:ended', jitterMs: 6 }],
    goesOnAlone: true,
  },
  {
    name: 'summary written, model not called',
    scene: 'long',
    kills: [{ point: 'log:conversation_compacted' }],
    goesOnAlone: true,
  },
  {
    name: 'first answer after the summary',
    scene: 'long',
    kills: [{ point: 'model:middle', nth: 3 }],
    goesOnAlone: true,
  },
  {
    name: 'undo of the summary on its way',
    scene: 'long',
    kills: [{ point: 'sent:restore', jitterMs: 8 }],
  },
  { name: 'undo of the summary acknowledged', scene: 'long', kills: [{ point: 'ack:restore' }] },
];
