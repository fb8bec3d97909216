/** Every surface, by the type of its targets. */
import type { SurfaceSettings, SurfaceType } from '../../protocol/schema/surfaces/index.ts';
import type { Surface } from './surface.ts';
import type { SettingsOf } from './surface-settings.ts';
import { pushSurface } from './push/push-surface.ts';
import { mailSurface } from './mail/mail-surface.ts';
import { slackSurface } from './slack/slack-surface.ts';
import { webhookSurface } from './webhook/webhook-surface.ts';

const SURFACES: { readonly [Type in SurfaceType]: Surface<SettingsOf<Type>> } = {
  push: pushSurface,
  webhook: webhookSurface,
  mail: mailSurface,
  slack: slackSurface,
};

export function findSurface({ type }: SurfaceSettings): Surface<SurfaceSettings> {
  return SURFACES[type];
}
