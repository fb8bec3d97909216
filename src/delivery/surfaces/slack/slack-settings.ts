/** The settings of a Slack target. An address of another API is for tests, and only where private targets are allowed. */
import { outgoingUrlProblem } from '../../../core/outgoing-url.ts';
import type { SurfaceRules } from '../surface-settings.ts';

export const slackSettings: SurfaceRules<'slack'> = {
  fields: ['botToken', 'channel', 'signingSecret', 'people', 'apiUrl'],
  hasSecret: false,
  retires: true,
  problem({ apiUrl }, { allowPrivate }) {
    if (apiUrl === undefined) return undefined;
    // The bot token is sent there, so it may be no address that an administrator was talked into.
    const message = allowPrivate
      ? outgoingUrlProblem(apiUrl, { allowPrivate })
      : 'Slack has one address; another is for tests on this machine';
    return message === undefined ? undefined : { path: 'apiUrl', message };
  },
  view: ({ type, channel, people, apiUrl }) => ({
    type,
    channel,
    ...(people !== undefined && { people }),
    ...(apiUrl !== undefined && { apiUrl }),
  }),
};
