import { useCallback, useEffect, useState } from 'preact/hooks';
import { visibleText } from '../../protocol/escapes.ts';
import type { ListedRule } from '../../protocol/types.ts';
import { type ServerClock, useNow } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t, tn } from '../model/language.ts';
import { hasScope, type Person } from '../model/person.ts';
import { addressOf } from '../model/location.ts';
import { ruleEffectWords } from '../model/rules.ts';
import { absoluteTime, MINUTE_MS, relativeTime } from '../model/times.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { RuleForm } from './rule-form.tsx';
import type { RuleRequests } from './settings-requests.ts';

interface RulesProps {
  readonly person: Person;
  readonly clock: ServerClock;
  readonly rules: (person: Person) => RuleRequests;
}

/** What is allowed, asked about or denied without asking anew: in every session, and in each. */
export function Rules({ person, clock, rules: requestsOf }: RulesProps) {
  const [requests] = useState(() => requestsOf(person));
  const [rules, setRules] = useState<readonly ListedRule[]>();
  const [isMaking, setMaking] = useState(false);
  const { isBusy, failure, run } = useAsyncAction();
  const now = useNow(clock, MINUTE_MS);
  const isAdmin = hasScope(person, 'admin');
  const refresh = useCallback(async () => setRules(await requests.list()), [requests]);
  useEffect(() => void run(refresh), [refresh]);
  const revoke = ({ rule, session }: ListedRule) =>
    void run(async () => {
      await requests.revoke(rule.id, session?.id);
      // A session reports its rules a moment later.
      setRules((before) => before?.filter((one) => one.rule !== rule));
    });
  return (
    <section class="settings-section" aria-labelledby="rules-title">
      <div class="settings-head">
        <h2 id="rules-title">{t('Rules')}</h2>
        {isAdmin && !isMaking && (
          <Button kind="primary" onClick={() => setMaking(true)}>
            {t('New rule')}
          </Button>
        )}
      </div>
      <p class="muted">
        {t('What is allowed, asked about or denied without asking anew. The strictest rule wins.')}
      </p>
      {isMaking && (
        <RuleForm
          {...{ clock, requests }}
          onDone={() => {
            setMaking(false);
            void run(refresh);
          }}
          onCancel={() => setMaking(false)}
        />
      )}
      <FailureNote text={failure} />
      {rules === undefined && failure === undefined && <p class="muted">{t('Loading…')}</p>}
      {rules?.length === 0 && (
        <p>{t('No rule yet. A person makes one with a request, an administrator here.')}</p>
      )}
      {rules !== undefined && rules.length > 0 && (
        <ul class="target-list" aria-label={t('Rules')}>
          {rules.map((listed) => (
            <li key={`${listed.session?.id ?? ''} ${listed.rule.id}`} class="device-row">
              <RuleWords {...{ listed, now }} />
              {mayRevoke(person, listed) && (
                <Button
                  disabled={isBusy}
                  aria-label={t('Revoke {toolName}', { toolName: visibleText(listed.pattern) })}
                  onClick={() => revoke(listed)}
                >
                  {t('Revoke')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Without a rule that denies or asks, more is allowed than before. */
function mayRevoke(person: Person, { scope, rule }: ListedRule): boolean {
  const isLoose = scope === 'session' && (rule.effect ?? 'allow') === 'allow';
  return hasScope(person, isLoose ? 'answer' : 'admin');
}

function RuleWords({ listed, now }: { readonly listed: ListedRule; readonly now: number }) {
  const { rule, session, pattern, used } = listed;
  const { effect = 'allow', createdBy, createdAt, expiresAt, reason, interactionId } = rule;
  const from = session?.id ?? rule.sessionId;
  const facts = [
    t('made by {name} {when}', {
      name: visibleText(createdBy),
      when: relativeTime(createdAt, now),
    }),
    expiresAt !== undefined &&
      (expiresAt <= now ? t('expired') : t('until {time}', { time: absoluteTime(expiresAt) })),
    used === null
      ? t('not used lately')
      : tn(used.count, 'used once lately, {when}', 'used {count} times lately, last {when}', {
          when: relativeTime(used.lastAt, now),
        }),
    reason !== undefined && visibleText(reason),
  ].filter((part) => part !== false);
  return (
    <div>
      <Badge mood={effect === 'deny' ? 'bad' : effect === 'allow' ? 'good' : 'plain'}>
        {ruleEffectWords(effect)}
      </Badge>{' '}
      <strong>
        <code dir="ltr">{visibleText(pattern)}</code>
      </strong>
      <p class="muted" dir="auto">
        {session === null
          ? t('In every session')
          : t('In {session}', { session: visibleText(session.title ?? session.id) })}
        {facts.map((fact) => ` · ${fact}`)}
        {from !== undefined && interactionId !== undefined && (
          <>
            {' · '}
            <a href={addressOf({ session: from, interaction: interactionId })}>
              {t('Made from this request')}
            </a>
          </>
        )}
      </p>
    </div>
  );
}
