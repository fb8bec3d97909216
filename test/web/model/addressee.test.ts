/**
 * The target of a text is shown before it is sent, by the rules of the server.
 *
 * A bug here looks like a message for the agent that answers a question, or the reverse.
 */
import { describe, expect, it } from 'vitest';
import type { Interaction, SessionView } from '../../../src/protocol/types.ts';
import { InProcessHost } from '../../../src/in-process/index.ts';
import { addresseeOf, promptOfInteraction } from '../../../src/web/model/addressee.ts';

const QUESTION = {
  kind: 'question',
  toolName: 'AskUserQuestion',
  questions: [{ header: 'A', question: 'Which one?', options: [{ label: 'x' }, { label: 'y' }] }],
};
const FIELD = { type: 'object', properties: { name: { type: 'string' } } };
const CHOICE = { type: 'object', properties: { name: { type: 'string', enum: ['a'] } } };
const TWO = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
const NONE = { type: 'object', properties: {} };
const APPROVAL = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } };
const PLAN = { kind: 'plan_review', toolName: 'ExitPlanMode', plan: '# Plan' };
const form = (schema: object) => ({ kind: 'form', toolName: 'Form', schema, title: 'Your name' });

/** The shown target, and where the server really sends the text. */
async function both(asked: readonly { kind: string; toolName: string }[], text: string) {
  const host = new InProcessHost({ warn: () => undefined });
  const owner = host.transport();
  const { id } = await owner.createSession();
  for (const one of asked) await owner.open(id, one);
  const { open, session } = await owner.snapshot(id);
  const said = addresseeOf({ open, session }, text, true);
  const went = await owner.sendMessage(id, text).routed.catch((error: { code: string }) => error);
  host.close();
  return { said, went };
}

describe('[UI-7, TXT-1, TXT-2, TXT-3, TXT-4] predicts the routing of the server', () => {
  it.each([
    ['nothing', [], 'agent', { routed: 'turn' }],
    ['a question', [QUESTION], 'interaction', { routed: 'interaction' }],
    ['a plan', [PLAN], 'interaction', { routed: 'interaction' }],
    ['a form with one field', [form(FIELD)], 'interaction', { routed: 'interaction' }],
    ['a form with a choice', [form(CHOICE)], 'queue', { routed: 'queued' }],
    ['a form with two fields', [form(TWO)], 'queue', { routed: 'queued' }],
    ['a form without fields', [form(NONE)], 'queue', { routed: 'queued' }],
    ['an approval', [APPROVAL], 'queue', { routed: 'queued' }],
    ['an approval and a question', [APPROVAL, QUESTION], 'interaction', { routed: 'interaction' }],
    ['two that take text', [PLAN, QUESTION], 'choose', { code: 'ambiguous_text' }],
  ] as const)('while %s is open', async (_what, asked, to, outcome) => {
    const { said, went } = await both(asked, 'x');
    expect(said.to).toBe(to);
    expect(went).toMatchObject(outcome);
  });

  it.each([' /clear\n', '/cancel'])('for the command %j', async (text) => {
    const { said, went } = await both([QUESTION], text);
    expect(said).toEqual({ to: 'command', command: text.trim() });
    expect(went).toMatchObject({ routed: 'command' });
  });
});

const opened = (over: Partial<Interaction>) =>
  ({ kind: 'question', request: {}, ...over }) as Interaction;
const running = { agent: {}, turn: { startedAt: 1 } } as unknown as SessionView;

it('[UI-7] is unsure about an unknown kind', () => {
  const puzzle = opened({ kind: 'puzzle', toolName: 'Puzzle' });
  const session = null;
  const unsure = { to: 'unsure', interaction: puzzle };
  expect(addresseeOf({ open: [puzzle], session }, 'x', true)).toEqual(unsure);
  expect(addresseeOf({ open: [opened({ kind: 'approval' }), puzzle], session }, 'x', true)).toEqual(
    unsure,
  );
  expect(addresseeOf({ open: [puzzle, opened({})], session }, 'x', true).to).toBe('interaction');
  expect(addresseeOf({ open: [puzzle], session }, 'x', false).to).toBe('queue');
});

it('[TXT-6] answers nothing without the scope `answer`', () => {
  expect(addresseeOf({ open: [opened({})], session: null }, 'x', false).to).toBe('agent');
});

it('[TXT-5] queues behind a working built-in agent, and not behind an external one', () => {
  expect(addresseeOf({ open: [], session: running }, 'x', true)).toEqual({
    to: 'queue',
    behind: 'turn',
  });
  const elsewhere = { turn: { startedAt: 1 } } as unknown as SessionView;
  expect(addresseeOf({ open: [], session: elsewhere }, 'x', true).to).toBe('agent');
});

it('names the current question, and a prompt for every other kind', () => {
  const questions = [{ question: 'First?' }, { question: 'Second?' }];
  expect(promptOfInteraction(opened({ request: { questions }, current: 1 }))).toBe('Second?');
  expect(promptOfInteraction(opened({ request: {}, toolName: 'Ask' }))).toBe('Ask');
  expect(promptOfInteraction(opened({ kind: 'form', request: { title: 'Your name' } }))).toBe(
    'Your name',
  );
  expect(promptOfInteraction(opened({ kind: 'form', request: {} }))).toBe('The form');
  expect(promptOfInteraction(opened({ kind: 'plan_review' }))).toBe('The plan');
});
