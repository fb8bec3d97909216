/** Sessions that a newcomer can start with one press: scenarios of the demo model, or tasks for a real model. */
import type { PermissionMode } from '../../protocol/types.ts';

export interface Starter {
  readonly title: string;
  readonly about: string;
  /** The first message. */
  readonly text: string;
  readonly permissionMode?: PermissionMode;
}

/** The start of a session: a scenario, or the person's own message. */
export type Beginning = Pick<Starter, 'text' | 'permissionMode'> & { readonly title?: string };

const DEMO_STARTERS: readonly Starter[] = [
  {
    title: 'Answer questions',
    about: 'Two questions; one takes several answers.',
    text: 'questions',
  },
  { title: 'Approve a file', about: 'The agent writes a file, if you let it.', text: 'write' },
  {
    title: 'Correct its work',
    about: 'There is a mistake in it: edit before you approve.',
    text: 'edit',
  },
  { title: 'Refuse something', about: 'A careless idea. Deny it and say why.', text: 'deny' },
  {
    title: 'Review a plan',
    about: 'Adjust it first, then approve it.',
    text: 'plan',
    permissionMode: 'plan',
  },
  {
    title: 'Two things at once',
    about: 'Two tools ask at the same time. Decide in any order.',
    text: 'parallel',
  },
  { title: 'See it fail', about: 'It works on a file that is not there.', text: 'fail' },
  {
    title: 'Stop a long answer',
    about: 'Watch it arrive piece by piece, and interrupt it.',
    text: 'long',
  },
];

const MODEL_STARTERS: readonly Starter[] = [
  {
    title: 'Be asked first',
    about: 'It asks what you like before it begins.',
    text: 'Help me plan a weekend away. Ask me what you need to know first.',
  },
  {
    title: 'Approve a file',
    about: 'It writes a file, if you let it.',
    text: 'Write a short packing list for two days of rain into packing.md.',
  },
  {
    title: 'Review a plan',
    about: 'It proposes, you adjust, then it works.',
    text: 'Plan a small reading group: how often, how long, what to read. Show me the plan before you write anything.',
    permissionMode: 'plan',
  },
];

/** `agent` is what `GET /health` says: `none`, `demo`, or the name of a model. */
export function startersFor(agent: string): readonly Starter[] {
  if (agent === 'none') return [];
  return agent === 'demo' ? DEMO_STARTERS : MODEL_STARTERS;
}
