import { useCallback, useEffect, useState, useRef } from 'preact/hooks';
import { visibleText } from '../../protocol/escapes.ts';
import type { ListedRule, RuleTrial } from '../../protocol/types.ts';
import { type ServerClock, useNow } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t, tn } from '../model/language.ts';
import { makerName } from '../model/names.ts';
import { hasScope, type Person } from '../model/person.ts';
import { addressOf } from '../model/location.ts';
import {
  ruleEffectWords,
  NEW_RULE,
  trialOutcomeWords,
  PATTERN_KINDS,
  type PatternKind,
  type RuleDraft,
  ruleOfDraft,
  trialWords,
} from '../model/rules.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { isShell } from '../../protocol/shell-tools.ts';
import { failureText } from '../model/failure.ts';
import type { RuleRequests } from './settings-requests.ts';
import { Check, Radio, TextField } from './form-fields.tsx';

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
  const { rule, scope, session, pattern, used } = listed;
  const { effect = 'allow', createdBy, createdAt, expiresAt, reason, interactionId } = rule;
  const from = session?.id ?? rule.sessionId;
  const facts = [
    t('made by {name} {when}', {
      name: makerName(createdBy, scope),
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

interface RuleFormProps {
  readonly clock: ServerClock;
  readonly requests: RuleRequests;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

const EFFECTS = ['allow', 'ask', 'deny'] as const;
const TRY_AFTER_MS = 400;
const SHOWN_REQUESTS = 20;

/** A new rule of the workspace, and beside it what it would have made of the last requests. */
function RuleForm({ clock, requests, onDone, onCancel }: RuleFormProps) {
  const [draft, setDraft] = useState<RuleDraft>(NEW_RULE);
  const change = (changes: Partial<RuleDraft>) => setDraft({ ...draft, ...changes });
  const { isBusy, failure, run } = useAsyncAction();
  const [trial, setTrial] = useState<{ readonly result?: RuleTrial; readonly problem?: string }>(
    {},
  );
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  useEffect(() => {
    const rule = ruleOfDraft(draft, clock.now());
    if (rule === undefined) return setTrial({});
    let isCurrent = true;
    const timer = setTimeout(() => {
      requests.tryOut(rule).then(
        (result) => isCurrent && setTrial({ result }),
        (cause: unknown) => isCurrent && setTrial({ problem: failureText(cause) }),
      );
    }, TRY_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [draft]);
  const rule = ruleOfDraft(draft, clock.now());
  const isForAll = draft.kind === 'every' && draft.effect === 'allow';
  const submit = async (event: Event) => {
    event.preventDefault();
    if (rule !== undefined && (await run(() => requests.create(rule)))) onDone();
  };
  return (
    <form class="target-form" ref={form} onSubmit={(event) => void submit(event)}>
      <fieldset class="choices">
        <legend>{t('This rule')}</legend>
        {EFFECTS.map((effect) => (
          <Radio
            key={effect}
            group="effect"
            words={ruleEffectWords(effect)}
            isChecked={draft.effect === effect}
            onChange={() => change({ effect })}
          />
        ))}
      </fieldset>
      <TextField
        id="rule-tool"
        label={t('Tool')}
        hint={t('Its exact name, or mcp__server__* for all tools of an MCP server.')}
        value={draft.toolName}
        onWrite={(toolName) => change({ toolName })}
      />
      <fieldset class="choices">
        <legend>{t('Which calls')}</legend>
        {PATTERN_KINDS.map((kind) => (
          <Radio
            key={kind}
            group="kind"
            words={patternWords(kind)}
            isChecked={draft.kind === kind}
            onChange={() => change({ kind })}
          />
        ))}
      </fieldset>
      {draft.kind !== 'every' && (
        <TextField
          id="rule-pattern"
          label={patternWords(draft.kind)}
          placeholder={PATTERN_EXAMPLES[draft.kind]}
          {...(draft.kind === 'command' && draft.effect === 'allow' && { hint: openWords() })}
          value={draft.pattern}
          onWrite={(pattern) => change({ pattern })}
        />
      )}
      {isForAll && isShell(draft.toolName) && (
        <Check
          words={t('Yes, every command, without asking anyone')}
          isChecked={draft.everyCommand}
          onChange={() => change({ everyCommand: !draft.everyCommand })}
        />
      )}
      <fieldset class="choices">
        <legend>{t('Until')}</legend>
        {[0, 1, 7, 30].map((days) => (
          <Radio
            key={days}
            group="days"
            words={days === 0 ? t('it is revoked') : daysWords(days)}
            isChecked={draft.days === days}
            onChange={() => change({ days })}
          />
        ))}
      </fieldset>
      <TextField
        id="rule-reason"
        label={t('Reason (optional)')}
        hint={t('The agent reads it if the rule denies a call.')}
        value={draft.reason}
        onWrite={(reason) => change({ reason })}
      />
      <TrialResult {...trial} />
      <FailureNote text={failure} />
      <div class="choices">
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={rule === undefined}>
          {t('Make the rule')}
        </Button>
        <Button onClick={onCancel}>{t('Cancel')}</Button>
      </div>
    </form>
  );
}

const PATTERN_EXAMPLES: Readonly<Record<PatternKind, string>> = {
  command: 'npm test',
  path: 'src/**',
  host: '*.example.org',
  every: '',
};

function patternWords(kind: PatternKind): string {
  switch (kind) {
    case 'command':
      return t('Commands that begin with');
    case 'path':
      return t('Files at');
    case 'host':
      return t('Addresses at the host');
    case 'every':
      return t('Every call');
  }
}

function openWords(): string {
  return t('Any option may follow these words, and some run other programs.');
}

function daysWords(days: number): string {
  if (days === 1) return t('tomorrow');
  return t('{number} days from now', { number: days });
}

/** The dry run: counts in a sentence, then the requests that change. */
function TrialResult({
  result,
  problem,
}: {
  readonly result?: RuleTrial;
  readonly problem?: string;
}) {
  const shown = result?.requests.slice(0, SHOWN_REQUESTS) ?? [];
  const more = (result?.requests.length ?? 0) - shown.length;
  return (
    <div class="rule-trial" role="status">
      {problem !== undefined && <p class="failure">{problem}</p>}
      {result !== undefined && <p>{trialWords(result)}</p>}
      {shown.length > 0 && (
        <ul class="lines">
          {shown.map(({ sessionId, at, input, before, after }, index) => (
            <li key={`${sessionId} ${at} ${index}`}>
              <span class="line">
                <code dir="auto">{visibleText(input)}</code>
                <span class="about">
                  {t('was {before}, becomes {after}', {
                    before: trialOutcomeWords(before),
                    after: trialOutcomeWords(after),
                  })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p class="muted">{t('And {number} more.', { number: more })}</p>}
    </div>
  );
}
