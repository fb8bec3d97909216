/** The settings of a webhook: its address, which must be one that HTTP tools may have too. */
import { outgoingUrlProblem } from '../../../core/outgoing-url.ts';
import type { SurfaceRules } from '../surface-settings.ts';

export const webhookSettings: SurfaceRules<'webhook'> = {
  fields: ['url'],
  hasSecret: true,
  retires: false,
  problem({ url }, { allowPrivate }) {
    const message = outgoingUrlProblem(url, { allowPrivate });
    return message === undefined ? undefined : { path: 'url', message };
  },
  view: ({ type, url }) => ({ type, url }),
};
