/**
 * A plan review: adjusted with each piece of feedback, then approved.
 *
 * An approval that clears the context starts a new turn whose message is the plan; its title identifies it.
 */
import {
  type TurnResult,
  type Scenario,
  type ScriptedReply,
  lastResults,
  quoteResult,
} from '../scenario.ts';

const TITLE = '# Demo: move the notes';
/** Outside plan mode every plan is denied automatically; the scenario must end all the same. */
const MAX_VERSIONS = 4;
/** The tool result of a plan that no person decided. */
const NOT_REVIEWED = /^Plan review (cancelled|timed out)/;

function proposal(version: number, feedback: readonly string[]): ScriptedReply {
  const steps = [
    'List the notes and count them.',
    'Write each one to its new folder.',
    'Compare the counts.',
    ...feedback.map((wish) => `As you asked: ${wish}`),
  ];
  const plan = [TITLE, '', ...steps.map((step, index) => `${index + 1}. ${step}`), ''].join('\n');
  const text =
    version === 1
      ? 'Here is my plan. Adjust it once with some feedback, and approve it then.'
      : `Here is version ${version} with your feedback in it.`;
  return { text, calls: [{ name: 'ExitPlanMode', input: { plan } }] };
}

function wishOf({ content }: TurnResult): string {
  return content.trim().replaceAll(/\s+/g, ' ').slice(0, 300);
}

export const isPlan = (text: string) => text.includes(TITLE);

export const planScenario: Scenario = {
  word: 'plan',
  about: 'I show you a plan. Adjust it, then approve it.',
  play(input) {
    const [result] = lastResults(input);
    const versions = input.results.length;
    if (isPlan(input.text))
      return { text: 'The plan is approved, and it is all I remember. I would begin with step 1.' };
    if (result === undefined) return proposal(1, []);
    if (!result.isError)
      return { text: `The plan is approved: ${quoteResult(result)}. I would begin with step 1.` };
    if (NOT_REVIEWED.test(result.content) || versions >= MAX_VERSIONS)
      return { text: `I leave the plan as it is: ${quoteResult(result)}.` };
    return proposal(
      versions + 1,
      input.results.flatMap(([denied]) => (denied === undefined ? [] : [wishOf(denied)])),
    );
  },
};
