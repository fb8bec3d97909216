/** Invitations as links: sealed texts, good once. An invitation without a subject is for the person who signs in with it. */
import * as z from 'zod';
import { Role } from '../../protocol/schema/person.ts';
import type { HttpPorts } from '../ports.ts';

const Invitation = z.strictObject({
  id: z.string(),
  workspace: z.string(),
  subject: z.string().nullable(),
  role: Role,
});
export type Invitation = z.infer<typeof Invitation>;

type Sealing = Pick<HttpPorts, 'login'>;

export function sealInvitation(
  { login }: Sealing,
  invitation: Invitation,
  expiresAt: number,
): string {
  return login.seals.seal('invitation', invitation, expiresAt);
}

/** Undefined: it was not written here, or has expired. It may have been used. */
export function openInvitation({ login }: Sealing, text: string): Invitation | undefined {
  return Invitation.safeParse(login.seals.open('invitation', text)).data;
}
