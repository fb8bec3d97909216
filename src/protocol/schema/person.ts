/** The people of a workspace, and the browsers in which they are signed in. */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';
import { GroupName } from './audience.ts';
import { Name } from './name.ts';

export const Role = z
  .enum(['viewer', 'answerer', 'admin'])
  .describe('A viewer reads; an answerer also answers and sends; an admin may do everything.');
export type Role = z.infer<typeof Role>;

/** An address is a subject, so it is written as a name too. Letters of an address are compared without case. */
export const EmailAddress = z
  .string()
  .max(LIMITS.nameChars)
  .regex(
    /^[^\s@"<>,;:\\]+@[^\s@"<>,;:\\]+\.[^\s@"<>,;:\\]+$/,
    'Use an address like ana@example.com',
  )
  .transform((address) => address.toLowerCase())
  .pipe(Name);

export const PersonView = z
  .strictObject({
    subject: z.string().describe('The name that decisions are recorded with.'),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: Role,
    groups: z.array(z.string()),
    status: z
      .enum(['invited', 'active', 'removed'])
      .describe('An invited person becomes active with the first sign-in.'),
    invitedBy: z.string().nullable(),
    createdAt: z.number(),
    lastSeenAt: z.number().nullable(),
  })
  .meta({ id: 'Person' });
export type PersonView = z.infer<typeof PersonView>;

export const InvitePerson = z
  .strictObject({
    email: EmailAddress,
    role: Role,
    name: Name.exactOptional(),
    groups: z.array(GroupName).max(LIMITS.groups).exactOptional(),
  })
  .meta({ id: 'InvitePerson' });
export type InvitePerson = z.output<typeof InvitePerson>;

export const UpdatePerson = z
  .strictObject({
    role: Role.exactOptional(),
    name: Name.nullable().exactOptional(),
    groups: z
      .array(GroupName)
      .max(LIMITS.groups)
      .exactOptional()
      .describe('All groups of the person; each of them exists.'),
  })
  .meta({ id: 'UpdatePerson' });
export type UpdatePerson = z.output<typeof UpdatePerson>;

/** What ends when a person is removed. */
export const PersonEnds = z
  .strictObject({ signIns: z.number(), tokens: z.number(), devices: z.number() })
  .meta({ id: 'PersonEnds' });
export type PersonEnds = z.infer<typeof PersonEnds>;

/** A browser in which a person is signed in. */
export const SignInView = z
  .strictObject({
    id: z.string(),
    subject: z.string(),
    browser: z
      .string()
      .describe('As the browser describes itself, for example "Chrome on Android".'),
    place: z.string().nullable().describe('Where it was last used, if the deployment knows that.'),
    createdAt: z.number(),
    usedAt: z.number(),
    expiresAt: z.number(),
  })
  .meta({ id: 'SignIn' });
export type SignInView = z.infer<typeof SignInView>;

/** What every isolate keeps a copy of: the active people, and what their sign-ins may do. */
export interface Member {
  readonly subject: string;
  readonly name: string | null;
  readonly role: Role;
  /** The same for good: all credentials of a person are one party. */
  readonly root: string;
  /** Revoked when the role changes or the person leaves; every credential of the person descends from it. */
  readonly credential: string;
}
