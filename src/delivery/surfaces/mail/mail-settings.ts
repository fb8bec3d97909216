/** The settings of a mail target: the address of a provider meets the rules of webhooks, and its credential is not listed. */
import { outgoingUrlProblem } from '../../../core/outgoing-url.ts';
import type { SurfaceRules } from '../surface-settings.ts';

export const mailSettings: SurfaceRules<'mail'> = {
  fields: ['to', 'from', 'provider', 'template', 'retire'],
  hasSecret: false,
  retires: false,
  problem({ provider }, { allowPrivate }) {
    const message = provider && outgoingUrlProblem(provider.url, { allowPrivate });
    return message === undefined ? undefined : { path: 'provider.url', message };
  },
  view({ type, to, from, provider, template, retire }) {
    const { url, header } = provider ?? {};
    return {
      type,
      to,
      from,
      ...(url !== undefined && { provider: { url, ...(header !== undefined && { header }) } }),
      ...(template !== undefined && { template }),
      ...(retire !== undefined && { retire }),
    };
  },
};
