import type { ListedAuditEntry } from '../../../protocol/types.ts';
import * as words from '../../model/audit-words.ts';
import { t } from '../../model/language.ts';
import { addressOf } from '../../model/location.ts';
import { absoluteTime } from '../../model/times.ts';
import { Badge } from '../../ui/badge.tsx';
import { Literal } from '../../ui/literal.tsx';

/** One entry on a line, and all of it on demand. */
export function AuditEntryRow({ entry }: { readonly entry: ListedAuditEntry }) {
  const { at, subject, via, outcome } = entry;
  const about = words.auditAbout(entry);
  return (
    <li>
      <details class="audit-entry">
        <summary>
          <span class="audit-what">
            <Badge mood={moodOf(outcome)}>{words.auditDeed(entry)}</Badge>
            {about !== '' && (
              <strong dir="auto">
                <Literal text={about} />
              </strong>
            )}
          </span>
          <span class="audit-who" dir="auto">
            <Literal text={subject} />
          </span>
          <span class="muted">{absoluteTime(at)}</span>
        </summary>
        <dl class="facts">
          {entryFacts(entry, via).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">
                <Literal text={value} />
              </dd>
            </div>
          ))}
          {entry.sessionId !== undefined && (
            <div>
              <dt>{t('Session')}</dt>
              <dd>
                <a
                  href={addressOf({
                    session: entry.sessionId,
                    ...(entry.interactionId !== undefined && { interaction: entry.interactionId }),
                  })}
                >
                  {entry.sessionId}
                </a>
              </dd>
            </div>
          )}
        </dl>
      </details>
    </li>
  );
}

function moodOf(outcome: string | undefined): 'good' | 'bad' | 'plain' {
  if (outcome === 'approved' || outcome === 'answered') return 'good';
  return outcome === 'denied' ? 'bad' : 'plain';
}

function entryFacts(entry: ListedAuditEntry, via: string): readonly (readonly [string, string])[] {
  const { by, scopes, number } = entry;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('Reason'), entry.reason],
    [t('Name'), entry.named],
    [t('By way of'), via],
    [t('Credential'), by?.credential],
    [t('From the key'), by?.key],
    [t('Rights'), scopes?.join(', ')],
    [t('Rule'), entry.rule],
    [t('Key'), entry.key],
    [t('Token'), entry.token],
    [t('Target'), entry.target],
    [t('Digest of the input'), entry.digest],
    [t('Number'), String(number)],
    [t('Hash'), entry.hash],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}
