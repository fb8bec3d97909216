/** Who acted, as an entry of the audit list says it. */
import type { Settler } from '../protocol/schema/actor.ts';
import type { AuditEntry } from '../protocol/schema/workspace.ts';

export function auditActor({
  subject,
  via,
  credential,
  key,
}: Settler): Pick<AuditEntry, 'subject' | 'via' | 'by'> {
  const by = credential !== undefined && key !== undefined ? { credential, key } : undefined;
  return { subject, via, ...(by && { by }) };
}
