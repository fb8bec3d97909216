/**
 * The schemas that the model receives against the inputs that the session accepts.
 *
 * A bug here looks like a model that follows a schema and whose request is refused.
 */
import { Validator } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelTool } from '../../../src/agent/model.ts';
import { askUserQuestion, exitPlanMode } from '../../../src/agent/tools/person-tools.ts';
import { BUILT_IN_TOOLS } from '../../../src/agent/tools/registry.ts';
import { toolSchemaProblem } from '../../../src/core/tools/check-tool-input.ts';
import { PlanReviewRequest } from '../../../src/protocol/schema/kinds/plan-review.ts';
import { QuestionRequest } from '../../../src/protocol/schema/kinds/question.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { countFor } from '../../support/run-length.ts';

function takes({ inputSchema }: ModelTool, input: unknown): boolean {
  return new Validator(inputSchema, '2020-12').validate(input).valid;
}

const upTo = (chars: number) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(chars), 'x'.repeat(chars + 1), '') },
  );
const fields = { label: upTo(200), description: upTo(2_000), preview: upTo(LIMITS.textChars) };
const Option = fc.oneof(
  { weight: 12, arbitrary: fc.record(fields, { requiredKeys: ['label'] }) },
  { weight: 1, arbitrary: fc.record({ ...fields, icon: fc.string() }) },
);
const Asked = fc.record(
  {
    header: upTo(12),
    question: upTo(2_000),
    options: fc.array(Option, { minLength: 1, maxLength: 5 }),
    multiSelect: fc.constantFrom(true, false, true, false, 'yes'),
  },
  { requiredKeys: ['header', 'question', 'options'] },
);
const Input = fc.record({ questions: fc.array(Asked, { maxLength: 5 }) });

/** Two things a JSON Schema cannot say; the description says them. */
function isSayable({ questions }: typeof Input extends fc.Arbitrary<infer T> ? T : never): boolean {
  return questions.every(({ question, options }) => {
    const labels = options.map(({ label }) => label.trim());
    return question.trim() !== '' && !labels.includes('') && new Set(labels).size === labels.length;
  });
}

describe('[RUN-8, QST-1] the questions a model may ask', () => {
  it.each([
    ['no options', { options: [] }],
    ['one option', { options: [{ label: 'a' }] }],
    ['five options', { options: ['a', 'b', 'c', 'd', 'e'].map((label) => ({ label })) }],
    ['no header', { header: undefined }],
    ['a header of 13 characters', { header: 'Thirteen char' }],
  ])('have not %s', (_what, part) => {
    const question = { header: 'H', question: 'Q?', options: [{ label: 'a' }, { label: 'b' }] };
    expect(takes(askUserQuestion, { questions: [question] })).toBe(true);
    const changed = JSON.parse(JSON.stringify({ ...question, ...part })) as object;
    expect(takes(askUserQuestion, { questions: [changed] })).toBe(false);
  });

  it('are questions that a session takes', () => {
    fc.assert(
      fc.property(Input, (input) => {
        const isTaken = QuestionRequest.safeParse(input).success;
        // A session takes more: fewer and more options, a longer header or none.
        if (takes(askUserQuestion, input)) expect(isTaken).toBe(isSayable(input));
      }),
      { numRuns: countFor({ quick: 500, long: 2_000 }) },
    );
  });
});

describe('[RUN-8, PLN-1] the plan a model may show', () => {
  it.each([
    { plan: '# Plan' },
    { plan: '' },
    { plan: 'x'.repeat(LIMITS.bodyBytes) },
    { plan: 'x'.repeat(LIMITS.bodyBytes + 1) },
    { plan: 3 },
    { plan: 'a', steps: [] },
  ])('is one a session takes (%#)', (input) => {
    expect(takes(exitPlanMode, input)).toBe(PlanReviewRequest.safeParse(input).success);
  });
});

describe('[RUN-8] the built-in tools', () => {
  it('have names of their own that the API takes', () => {
    const names = BUILT_IN_TOOLS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toSatisfy((all: string[]) => all.every((name) => /^[A-Za-z0-9_-]+$/.test(name)));
    expect(names).toEqual(['AskUserQuestion', 'ExitPlanMode', 'Read', 'Write', 'Edit', 'List']);
  });

  it.each(BUILT_IN_TOOLS)('accept nothing beyond the schema of $name', (tool) => {
    expect(toolSchemaProblem(tool.inputSchema)).toBeUndefined();
    expect(tool.inputSchema['additionalProperties']).toBe(false);
    expect(takes(tool, { surprise: true })).toBe(false);
  });
});
