/** What Slack sends when a person presses a button or submits a dialog: the parts that are read here. */
import * as z from 'zod';
import { parseJson } from '../../../protocol/json.ts';
import { InputValues } from './slack-inputs.ts';

const Id = z.string().regex(/^[A-Z][A-Z0-9]{1,31}$/);
const User = z.object({ id: Id, team_id: Id.nullish() });
const Team = z.object({ id: Id }).nullish();

const ButtonPayload = z.object({
  type: z.literal('block_actions'),
  user: User,
  team: Team,
  trigger_id: z.string().max(500).optional(),
  response_url: z.string().max(2_000).optional(),
  channel: z.object({ id: Id }).optional(),
  actions: z
    .array(z.object({ action_id: z.string(), value: z.string().optional() }))
    .min(1)
    .max(100),
});
export type ButtonPayload = z.infer<typeof ButtonPayload>;

const DialogPayload = z.object({
  type: z.literal('view_submission'),
  user: User,
  team: Team,
  view: z.object({
    callback_id: z.string(),
    private_metadata: z.string(),
    state: z.object({ values: InputValues }),
  }),
});
export type DialogPayload = z.infer<typeof DialogPayload>;

/** What answers nothing, such as a dialog that was closed. */
const OtherPayload = z.object({ type: z.string() });

export type SlackPayload = ButtonPayload | DialogPayload | { readonly type: 'other' };

/** Undefined for what is not a payload of Slack. */
export function readPayload(body: string): SlackPayload | undefined {
  const text = new URLSearchParams(body).get('payload');
  const parsed = text === null ? undefined : parseJson(text);
  if (parsed?.ok !== true) return undefined;
  const read = z.union([ButtonPayload, DialogPayload]).safeParse(parsed.value);
  if (read.success) return read.data;
  const other = OtherPayload.safeParse(parsed.value).data;
  const isKnown = other?.type === 'block_actions' || other?.type === 'view_submission';
  return other === undefined || isKnown ? undefined : { type: 'other' };
}

/** The person's name in the log, unless the settings of the target have one. */
export function subjectOf(
  { user, team }: Pick<ButtonPayload, 'user' | 'team'>,
  people: Readonly<Record<string, string>> = {},
): string {
  const teamId = user.team_id ?? team?.id;
  const full = `${teamId ?? 'unknown'}/${user.id}`;
  if (Object.hasOwn(people, full)) return people[full] ?? full;
  // In a shared channel are people of other teams, whose ids say nothing without their team.
  const isOwn = team?.id === undefined || team.id === teamId;
  const known = isOwn && Object.hasOwn(people, user.id) ? people[user.id] : undefined;
  return known ?? `slack:${full}`;
}
