/**
 * The surfaces of targets: for each, the fields of its target as they are given and stored, as they are changed, and as they
 * are listed without secrets.
 */
import * as z from '../zod.ts';
import { MAIL } from './mail.ts';
import { PUSH } from './push.ts';
import { SLACK } from './slack.ts';
import { WEBHOOK } from './webhook.ts';

/** Targets that administrators make. */
const MADE_BY_ADMINISTRATORS = [WEBHOOK, MAIL, SLACK] as const;
/** A target of type `push` is made by its person. */
const ALL_SURFACES = [...MADE_BY_ADMINISTRATORS, PUSH] as const;

type AnySurface = (typeof ALL_SURFACES)[number];
type Values<Shape> = Shape extends z.ZodRawShape
  ? z.infer<z.ZodObject<Shape, z.core.$strict>>
  : never;

export type SurfaceSettings = Values<AnySurface['settings']>;
export type SurfaceType = SurfaceSettings['type'];
export type SurfaceFieldsView = Values<AnySurface['view']>;

/** One object for each surface; TypeScript does not follow `map` over a tuple. */
type WithFields<
  Surfaces extends readonly Readonly<Record<Part, z.ZodRawShape>>[],
  Part extends string,
  Fields extends z.ZodRawShape,
> = {
  readonly [At in keyof Surfaces]: z.ZodObject<Surfaces[At][Part] & Fields, z.core.$strict>;
};

/** For each surface the fields of its target, together with those that every target has. */
export const withSurfaceSettings = <Fields extends z.ZodRawShape>(fields: Fields) =>
  MADE_BY_ADMINISTRATORS.map(({ settings }) =>
    z.strictObject({ ...settings, ...fields }),
  ) as unknown as WithFields<typeof MADE_BY_ADMINISTRATORS, 'settings', Fields>;

export const withSurfaceView = <Fields extends z.ZodRawShape>(fields: Fields) =>
  ALL_SURFACES.map(({ view }) => z.strictObject({ ...view, ...fields })) as unknown as WithFields<
    typeof ALL_SURFACES,
    'view',
    Fields
  >;

type AllChanges<Surfaces> = Surfaces extends readonly [
  { readonly changes: infer Changes },
  ...infer Others,
]
  ? Changes & AllChanges<Others>
  : unknown;

/** A change names only fields of its own surface, which the workspace checks. */
export const SURFACE_CHANGES = Object.assign(
  {},
  ...MADE_BY_ADMINISTRATORS.map(({ changes }) => changes),
) as AllChanges<typeof MADE_BY_ADMINISTRATORS>;
