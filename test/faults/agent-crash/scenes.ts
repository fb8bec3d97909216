/**
 * The answers of the scripted model: for each scene, one answer for each request of a turn.
 *
 * The conversation alone selects the answer, as with a real model: the model answers a repeated request with the same
 * content and new ids.
 */
import type { AgentSettings } from '../../../src/protocol/schema/agent-settings.ts';
import type { PermissionMode } from '../../../src/protocol/schema/session.ts';
import type { WireBlock } from '../../support/messages-api/reply.ts';

export type SceneName =
  | 'talk'
  | 'mail'
  | 'work'
  | 'busy'
  | 'slow'
  | 'plan'
  | 'carry-out'
  | 'queue'
  | 'late'
  | 'long'
  | 'long-end';

export interface Scene {
  /** Trials use these in turn. */
  readonly modes: readonly PermissionMode[];
  readonly answers: readonly (readonly ReplyPart[])[];
  /** The end reasons of its turns, in the order of the log. */
  readonly ends: readonly string[];
  /** How often each tool has its effect in a run without a kill. */
  readonly effects: Readonly<Record<string, number>>;
  /** How often the model refuses with 529 before it answers. */
  readonly busy?: number;
  /** The pause between two events of an answer. */
  readonly paceMs?: number;
  /** A second message, sent during the turn. */
  readonly meanwhile?: { readonly when: 'talking' | 'asking'; readonly text: string };
  /** Deadlines by kind, in seconds. */
  readonly timeouts?: Readonly<Record<string, number>>;
  /** Every tool error that the model receives contains this text. */
  readonly mayFail?: string;
  /** The conversation outgrows its window in the turn, and a person takes the summary back after it. */
  readonly compaction?: {
    /** The answer that says how full the window is, and how full. */
    readonly fullAt: number;
    readonly tokens: number;
    /** The message after the summary was taken back. */
    readonly afterUndo: string;
  };
}

export type ReplyPart =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly call: string; readonly input: object };

export const PLAN_FILE = 'notes/plan.md';
const MODES = ['acceptEdits', 'bypassPermissions'] as const;
const MAIL: ReplyPart = { call: 'Mail', input: { to: 'ada@example.com' } };
const THINKS: ReplyPart = { thinking: 'What is to be done here has several parts.' };
const QUESTION: ReplyPart = {
  call: 'AskUserQuestion',
  input: {
    questions: [
      { header: 'Color', question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    ],
  },
};

const SLOW_WORDS = 'This takes its time, and nobody is in a hurry here. '.repeat(12);

const LONG_WORDS = 'There is much to say about the first of these things. '.repeat(60);
/** The scene long fills more than half of it. */
const CONTEXT_TOKENS = 10_000;
const COMPACT_AT_PERCENT = 50;

/** What the model writes when it is asked for a summary. */
export const SUMMARY = 'The scene long is played, and Ada was looked up.';

export const SCENES: Readonly<Record<SceneName, Scene>> = {
  talk: {
    modes: MODES,
    answers: [[THINKS, { text: 'Good day. This is all that I have to say.' }]],
    ends: ['completed'],
    effects: {},
  },
  mail: {
    modes: MODES,
    answers: [[{ text: 'I write to Ada.' }, MAIL], [{ text: 'Ada has been written to.' }]],
    ends: ['completed'],
    effects: { Mail: 1 },
  },
  work: {
    modes: MODES,
    answers: [
      [
        THINKS,
        { text: 'Four things at once.' },
        { call: 'Lookup', input: { name: 'ada' } },
        MAIL,
        { call: 'Write', input: { path: PLAN_FILE, content: 'Steps done: none.\n' } },
        QUESTION,
      ],
      [
        THINKS,
        { call: 'Screenshot', input: {} },
        { call: 'Edit', input: { path: PLAN_FILE, oldText: 'none', newText: 'all' } },
      ],
      [{ text: 'All of it is done.' }],
    ],
    ends: ['completed'],
    effects: { Mail: 1, Lookup: 1 },
  },
  busy: {
    modes: MODES,
    answers: [[{ text: 'Sorry that it took so long.' }]],
    ends: ['completed'],
    effects: {},
    busy: 1,
  },
  slow: {
    modes: MODES,
    answers: [[{ text: SLOW_WORDS }]],
    ends: ['interrupted', 'completed'],
    effects: {},
    paceMs: 20,
    meanwhile: { when: 'talking', text: 'Play the scene talk.' },
  },
  queue: {
    // The question must need a person, and text must not be able to answer it.
    modes: ['acceptEdits'],
    answers: [[{ text: 'I write to Ada.' }, MAIL]],
    // A message sent during the turn travels with the result and belongs to the same turn.
    ends: ['completed'],
    effects: { Mail: 1 },
    meanwhile: { when: 'asking', text: 'Play the scene talk.' },
  },
  late: {
    modes: MODES,
    answers: [[{ text: 'One thing first.' }, QUESTION], [{ text: 'Then I go on without it.' }]],
    ends: ['completed'],
    effects: {},
    timeouts: { question: 1 },
    mayFail: 'did not respond',
  },
  long: {
    modes: MODES,
    // The model finds its place by the number in its own texts: a summary may have taken the earlier ones.
    answers: [
      [{ text: `Step 0. ${LONG_WORDS}` }, { call: 'Lookup', input: { name: 'ada' } }],
      [{ text: 'Step 1.' }, MAIL],
      [{ text: 'Step 2.' }, { call: 'Write', input: { path: PLAN_FILE, content: 'Written.\n' } }],
      [{ text: 'Step 3 was the last.' }],
    ],
    ends: ['completed', 'completed'],
    effects: { Mail: 1, Lookup: 1 },
    compaction: { fullAt: 1, tokens: 6_000, afterUndo: 'Play the scene long-end.' },
  },
  'long-end': {
    modes: MODES,
    answers: [[{ text: 'I read all of it again.' }]],
    ends: ['completed'],
    effects: {},
  },
  plan: {
    modes: ['plan'],
    answers: [
      [
        { text: 'Here is my plan.' },
        { call: 'ExitPlanMode', input: { plan: '1. Write to Ada. (scene carry-out)' } },
      ],
      [{ text: 'This is never said: the context is cleared.' }],
    ],
    ends: ['cleared', 'completed'],
    effects: { Mail: 1 },
  },
  'carry-out': {
    modes: MODES,
    answers: [[{ text: 'I begin with step 1.' }, MAIL], [{ text: 'The plan is carried out.' }]],
    ends: ['completed'],
    effects: { Mail: 1 },
  },
};

export function settingsFor(trial: string, toolUrl: string): AgentSettings {
  const inputSchema = { type: 'object' } as const;
  const http = { type: 'http', inputSchema, timeoutSeconds: 30 } as const;
  return {
    system: `trial ${trial}`,
    contextTokens: CONTEXT_TOKENS,
    compactAtPercent: COMPACT_AT_PERCENT,
    tools: [
      {
        ...http,
        name: 'Mail',
        description: 'Writes to somebody.',
        class: 'execute',
        idempotent: false,
        url: `${toolUrl}/Mail`,
      },
      {
        ...http,
        name: 'Lookup',
        description: 'Looks somebody up.',
        class: 'read',
        idempotent: true,
        url: `${toolUrl}/Lookup`,
      },
      {
        type: 'client',
        name: 'Screenshot',
        description: 'Takes a picture.',
        inputSchema,
        class: 'read',
        idempotent: false,
        timeoutSeconds: 60,
      },
    ],
  };
}

export function blocksOf(parts: readonly ReplyPart[], freshId: () => string): WireBlock[] {
  return parts.map((part): WireBlock => {
    if ('text' in part) return { type: 'text', text: part.text };
    if ('thinking' in part) return { type: 'thinking', thinking: part.thinking, signature: 'c2ln' };
    return { type: 'tool_use', id: freshId(), name: part.call, input: part.input };
  });
}
