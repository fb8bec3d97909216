/** The settings of targets by surface: as they are given, changed, and listed. */
import * as z from 'zod';
import { PUSH_SETTINGS, PUSH_VIEW } from './push.ts';
import { MAIL_CHANGES, MAIL_SETTINGS, MAIL_VIEW } from './mail.ts';
import { SLACK_CHANGES, SLACK_SETTINGS, SLACK_VIEW } from './slack.ts';
import { WEBHOOK_CHANGES, WEBHOOK_SETTINGS, WEBHOOK_VIEW } from './webhook.ts';

/** The settings as given and stored, with secrets. */
const SurfaceSettings = z.discriminatedUnion('type', [
  z.strictObject(WEBHOOK_SETTINGS),
  z.strictObject(PUSH_SETTINGS),
  z.strictObject(MAIL_SETTINGS),
  z.strictObject(SLACK_SETTINGS),
]);
export type SurfaceSettings = z.infer<typeof SurfaceSettings>;
export type SurfaceType = SurfaceSettings['type'];

/** The settings as they are listed, without secrets. */
const SurfaceFieldsView = z.discriminatedUnion('type', [
  z.strictObject(WEBHOOK_VIEW),
  z.strictObject(PUSH_VIEW),
  z.strictObject(MAIL_VIEW),
  z.strictObject(SLACK_VIEW),
]);
export type SurfaceFieldsView = z.infer<typeof SurfaceFieldsView>;

/**
 * For each surface the fields of its target, together with those that every target has. A target of type `push` is
 * made by its person, not by an administrator.
 */
export const withSurfaceSettings = <Fields extends z.ZodRawShape>(fields: Fields) =>
  [
    z.strictObject({ ...WEBHOOK_SETTINGS, ...fields }),
    z.strictObject({ ...MAIL_SETTINGS, ...fields }),
    z.strictObject({ ...SLACK_SETTINGS, ...fields }),
  ] as const;
export const withSurfaceView = <Fields extends z.ZodRawShape>(fields: Fields) =>
  [
    z.strictObject({ ...WEBHOOK_VIEW, ...fields }),
    z.strictObject({ ...PUSH_VIEW, ...fields }),
    z.strictObject({ ...MAIL_VIEW, ...fields }),
    z.strictObject({ ...SLACK_VIEW, ...fields }),
  ] as const;

/** A change names only fields of its own surface, which the workspace checks. */
export const SURFACE_CHANGES = { ...WEBHOOK_CHANGES, ...MAIL_CHANGES, ...SLACK_CHANGES };
