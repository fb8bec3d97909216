import { visibleText } from '../../protocol/escapes.ts';
import type { Rule } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { relativeTime } from '../model/times.ts';
import { Button } from '../ui/button.tsx';

interface RulesPanelProps {
  readonly rules: readonly Rule[];
  readonly now: number;
  readonly onRevoke: ((ruleId: string) => Promise<unknown>) | undefined;
}

/** The rules of the session, and buttons to revoke them. */
export function RulesPanel({ rules, now, onRevoke }: RulesPanelProps) {
  const { isBusy, failure, run } = useAsyncAction();
  return (
    <section class="panel" aria-labelledby="rules-title">
      <h3 id="rules-title">Allowed for this session</h3>
      {rules.length === 0 && (
        <p class="muted">Nothing yet. “Allow for session…” on an approval adds to this list.</p>
      )}
      <ul class="lines">
        {rules.map(({ id, toolName, inputDigest, createdBy, createdAt }) => (
          <li key={id}>
            <span class="line">
              <strong>{visibleText(toolName)}</strong>
              <span class="about">
                {inputDigest === undefined ? 'every call' : 'one exact input'}, by{' '}
                {visibleText(createdBy)}, {relativeTime(createdAt, now)}
              </span>
            </span>
            {onRevoke !== undefined && (
              <Button
                disabled={isBusy}
                aria-label={`Revoke ${visibleText(toolName)}`}
                onClick={() => void run(() => onRevoke(id))}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      <FailureNote text={failure} />
    </section>
  );
}
