/** Which scene is played, by what somebody wrote; for anything else, the list of them. */
import type { Heard, Said, Scene } from '../scene.ts';
import { deny } from './deny.ts';
import { edit } from './edit.ts';
import { fail } from './fail.ts';
import { long } from './long.ts';
import { parallel } from './parallel.ts';
import { isPlan, plan } from './plan.ts';
import { questions } from './questions.ts';
import { write } from './write.ts';

export const SCENES: readonly Scene[] = [questions, write, edit, deny, plan, parallel, fail, long];

const INTRODUCTION =
  'This is a rehearsal: no model is behind it, only a few written scenes, so that you can try everything without a key. Write one of these words:';

function explain(): Said {
  const list = SCENES.map(({ word, about }) => `- **${word}**: ${about}`).join('\n');
  return { text: `${INTRODUCTION}\n\n${list}` };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

function sceneFor(said: string): Scene | undefined {
  // Its steps hold the words of other scenes.
  if (isPlan(said)) return plan;
  const words = wordsOf(said);
  // The first word somebody wrote decides, not the first scene of the list.
  return words.map((word) => SCENES.find((scene) => scene.word === word)).find((scene) => scene);
}

export function play(heard: Heard): Said {
  return sceneFor(heard.said)?.play(heard) ?? explain();
}
