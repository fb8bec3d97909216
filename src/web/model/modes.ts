/** The permission modes in the order of a choice, each with a sentence. */
import type { PermissionMode } from '../../protocol/types.ts';
import { t } from './language.ts';

export const MODE_ORDER: readonly PermissionMode[] = [
  'default',
  'acceptEdits',
  'plan',
  'bypassPermissions',
];

export function aboutMode(mode: PermissionMode): string {
  switch (mode) {
    case 'default':
      return t('Every tool waits for your approval, unless you allowed it for this session.');
    case 'acceptEdits':
      return t('Reading and editing files goes through. Everything else waits for your approval.');
    case 'plan':
      return t(
        'The agent may read and write a plan. It changes nothing until you approve the plan.',
      );
    case 'bypassPermissions':
      return t('No tool waits for you; only questions do. An administrator has to switch this on.');
  }
}
