/** A bug here looks like a first visit without a reaction, or a reply that contradicts the shown tool call. */
import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import type { ToolUseContent } from '../../../src/agent/message.ts';
import { BUILT_IN_TOOLS } from '../../../src/agent/tools/registry.ts';
import { PlanReviewRequest } from '../../../src/protocol/schema/kinds/plan-review.ts';
import { QuestionRequest } from '../../../src/protocol/schema/kinds/question.ts';
import { SCENARIOS } from '../../../src/platform/demo-model/scenarios.ts';
import { type Answerer, playTurn, type Turn } from './play-turn.ts';

const yes: Answerer = ({ name }) => `${name} is done`;
const no: Answerer = () => ({ error: 'Not today' });
const namesOf = ({ calls }: Turn) => calls.map(({ name }) => name);
const lastOf = ({ texts }: Turn) => texts.at(-1) ?? '';

function isTaken({ name, input }: ToolUseContent): boolean {
  const tool = BUILT_IN_TOOLS.find((one) => one.name === name);
  if (tool === undefined) return false;
  return new Validator(tool.inputSchema, '2020-12').validate(input).valid;
}

describe('[RUN-9] every scenario', () => {
  const variants: [string, Answerer][] = [
    ['everything allowed', yes],
    ['everything denied', no],
    ['cancelled', () => ({ error: 'Plan review cancelled' })],
    ['answered without a word', () => ''],
  ];
  const played = SCENARIOS.flatMap(({ word }) =>
    variants.map(([name, answers]) => ({ word, name, answers })),
  );

  it.each(played)('$word comes to its end with $name', async ({ word, answers }) => {
    const turn = await playTurn(word, answers);
    expect(lastOf(turn)).not.toBe('');
    expect(turn.calls).toSatisfy((calls: ToolUseContent[]) => calls.every(isTaken));
  });

  it.each(SCENARIOS)('$word is found in a sentence', async ({ word }) => {
    const alone = await playTurn(word, yes);
    const sentence = await playTurn(`Please show me “${word.toUpperCase()}”!`, yes);
    expect(sentence.texts).toEqual(alone.texts);
  });

  it.each(SCENARIOS)(
    '$word is in the list of scenarios with its description',
    async ({ word, about }) => {
      const turn = await playTurn('What can you do?', yes);
      expect(turn.calls).toEqual([]);
      expect(lastOf(turn)).toContain('This is demo mode: a scripted agent, no model connected');
      expect(lastOf(turn)).toContain(`**${word}**: ${about}`);
    },
  );
});

describe('[RUN-9] the scenario', () => {
  it('questions asks two questions, one with several answers, and repeats the answers', async () => {
    const turn = await playTurn('questions', () => 'Which database? SQLite');
    expect(namesOf(turn)).toEqual(['AskUserQuestion']);
    const { questions } = QuestionRequest.parse(turn.calls[0]?.input);
    expect(questions.map(({ multiSelect }) => multiSelect)).toEqual([false, true]);
    expect(lastOf(turn)).toContain('Which database? SQLite');
  });

  it('write writes one file', async () => {
    const turn = await playTurn('write', yes);
    expect(namesOf(turn)).toEqual(['Write']);
    expect(lastOf(turn)).toContain('Write is done');
    expect(lastOf(await playTurn('write', no))).toContain('was not written: “Not today”');
  });

  it('edit repeats the input that ran, with the edit of the person', async () => {
    const turn = await playTurn('edit', () => 'Wrote invitation.txt, edited by the person');
    expect(JSON.stringify(turn.calls)).toContain('Thurzday');
    expect(lastOf(turn)).toContain('edited by the person');
  });

  it('deny continues from the reason', async () => {
    const turn = await playTurn('deny', no, { tools: ['Bash'] });
    expect(namesOf(turn)).toEqual(['Bash']);
    expect(lastOf(turn)).toMatch(/“Not today”.*I go on without it/);
  });

  it('deny writes a script where there is no tool for commands', async () => {
    expect(namesOf(await playTurn('deny', no))).toEqual(['Write']);
  });

  it('plan takes feedback into its next version, until it is approved', async () => {
    const turn = await playTurn('plan', (_call, step) =>
      step === 0 ? { error: 'Count twice' } : 'Approved',
    );
    expect(namesOf(turn)).toEqual(['ExitPlanMode', 'ExitPlanMode']);
    const plans = turn.calls.map(({ input }) => PlanReviewRequest.parse(input).plan);
    expect(plans[0]).not.toContain('Count twice');
    expect(plans[1]).toContain('As you asked: Count twice');
    expect(lastOf(turn)).toContain('is approved');
  });

  it('plan ends by itself where every review is denied', async () => {
    expect(namesOf(await playTurn('plan', no))).toHaveLength(4);
    const cancelled = await playTurn('plan', () => ({ error: 'Plan review cancelled' }));
    expect(namesOf(cancelled)).toHaveLength(1);
  });

  it('[PLN-6] plan recognizes its plan when the conversation holds no more', async () => {
    const { calls } = await playTurn('plan', yes);
    const { plan = '' } = PlanReviewRequest.parse(calls[0]?.input);
    const fresh = await playTurn(`Carry out this plan:\n\n${plan}`, yes);
    expect(fresh.calls).toEqual([]);
    expect(lastOf(fresh)).toContain('it is all I remember');
  });

  it('[RUN-2] parallel uses two files in one answer, and reads none that is not there', async () => {
    const turn = await playTurn(
      'parallel',
      ({ input }) => `Wrote ${JSON.stringify(input['path'])}`,
    );
    expect(namesOf(turn)).toEqual(['Write', 'Write']);
    expect(turn.texts).toHaveLength(2);
    expect(lastOf(turn)).toMatch(/Write is done: “Wrote "hello.md"”.*is done: “Wrote "copy.md"”/);
  });

  it('[RUN-5] fail receives the failure of a tool beside an open approval', async () => {
    const turn = await playTurn('fail', ({ name }) => ({ error: `${name} found no file` }));
    expect(namesOf(turn)).toEqual(['Read', 'Edit']);
    expect(lastOf(turn)).toContain('Edit: “Edit found no file”');
  });

  it('long comes in many pieces', async () => {
    const turn = await playTurn('long', yes);
    expect(turn.calls).toEqual([]);
    expect(turn.deltas).toBeGreaterThan(50);
  });
});
