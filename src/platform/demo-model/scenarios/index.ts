/** Chooses the scenario by a word of the person's message; without such a word, the reply lists the scenarios. */
import type { TurnInput, ScriptedReply, Scenario } from '../scenario.ts';
import { denyScenario } from './deny.ts';
import { editScenario } from './edit.ts';
import { failScenario } from './fail.ts';
import { longScenario } from './long.ts';
import { parallelScenario } from './parallel.ts';
import { isPlan, planScenario } from './plan.ts';
import { questionScenario } from './questions.ts';
import { writeScenario } from './write.ts';

export const SCENARIOS: readonly Scenario[] = [
  questionScenario,
  writeScenario,
  editScenario,
  denyScenario,
  planScenario,
  parallelScenario,
  failScenario,
  longScenario,
];

const DEMO_INTRODUCTION =
  'This is demo mode: a scripted agent, no model connected, so that you can try everything without a key. Write one of these words:';

function listScenarios(): ScriptedReply {
  const list = SCENARIOS.map(({ word, about }) => `- **${word}**: ${about}`).join('\n');
  return { text: `${DEMO_INTRODUCTION}\n\n${list}` };
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

function findScenario(text: string): Scenario | undefined {
  // The steps of a plan hold the words of other scenarios.
  if (isPlan(text)) return planScenario;
  const words = wordsIn(text);
  // The first word of the message decides, not the first scenario of the list.
  return words
    .map((word) => SCENARIOS.find((scenario) => scenario.word === word))
    .find((scenario) => scenario);
}

export function play(input: TurnInput): ScriptedReply {
  return findScenario(input.text)?.play(input) ?? listScenarios();
}
