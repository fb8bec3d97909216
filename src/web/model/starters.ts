/** Sessions that a newcomer can start with one press: scenarios of the demo model, or tasks for a real model. */
import type { PermissionMode } from '../../protocol/types.ts';
import { t } from './language.ts';

export interface Starter {
  readonly title: string;
  readonly about: string;
  /** The first message. */
  readonly text: string;
  readonly permissionMode?: PermissionMode;
}

/** The start of a session: a scenario, or the person's own message. */
export type Beginning = Pick<Starter, 'text' | 'permissionMode'> & { readonly title?: string };

const demoStarters = (): readonly Starter[] => [
  {
    title: t('Answer questions'),
    about: t('Two questions; one takes several answers.'),
    text: 'questions',
  },
  {
    title: t('Approve a file'),
    about: t('The agent writes a file, if you let it.'),
    text: 'write',
  },
  {
    title: t('Correct its work'),
    about: t('There is a mistake in it: edit before you approve.'),
    text: 'edit',
  },
  { title: t('Refuse something'), about: t('A careless idea. Deny it and say why.'), text: 'deny' },
  {
    title: t('Review a plan'),
    about: t('Adjust it first, then approve it.'),
    text: 'plan',
    permissionMode: 'plan',
  },
  {
    title: t('Two things at once'),
    about: t('Two tools ask at the same time. Decide in any order.'),
    text: 'parallel',
  },
  { title: t('See it fail'), about: t('It works on a file that is not there.'), text: 'fail' },
  {
    title: t('Stop a long answer'),
    about: t('Watch it arrive piece by piece, and interrupt it.'),
    text: 'long',
  },
];

const modelStarters = (): readonly Starter[] => [
  {
    title: t('Be asked first'),
    about: t('It asks what you like before it begins.'),
    text: t('Help me plan a weekend away. Ask me what you need to know first.'),
  },
  {
    title: t('Approve a file'),
    about: t('It writes a file, if you let it.'),
    text: t('Write a short packing list for two days of rain into packing.md.'),
  },
  {
    title: t('Review a plan'),
    about: t('It proposes, you adjust, then it works.'),
    text: t(
      'Plan a small reading group: how often, how long, what to read. Show me the plan before you write anything.',
    ),
    permissionMode: 'plan',
  },
];

/** `agent` is what `GET /health` says: `none`, `demo`, or the name of a model. */
export function startersFor(agent: string): readonly Starter[] {
  if (agent === 'none') return [];
  return agent === 'demo' ? demoStarters() : modelStarters();
}
