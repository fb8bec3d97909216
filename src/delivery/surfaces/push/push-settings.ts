/** The settings of a device: none that an administrator may change, and no key that a list shows. */
import { outgoingUrlProblem } from '../../../core/outgoing-url.ts';
import type { SurfaceRules } from '../surface-settings.ts';

export const pushSettings: SurfaceRules<'push'> = {
  fields: [],
  hasSecret: false,
  // A device has no filter that could change.
  retires: false,
  // Push services are public, and a person who may only read names one: no setting lets it lead into the network.
  problem({ endpoint }) {
    const message = outgoingUrlProblem(endpoint, { allowPrivate: false });
    return message === undefined ? undefined : { path: 'subscription.endpoint', message };
  },
  view: ({ type, device, subject, endpoint, usedAt, expiresAt }) => ({
    type,
    device,
    subject,
    service: new URL(endpoint).origin,
    usedAt,
    expiresAt,
  }),
};
