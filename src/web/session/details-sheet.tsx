import { useEffect, useState } from 'preact/hooks';
import type { Replica } from '../../client/state/replica.ts';
import type { Transport } from '../../client/transport.ts';
import { describePattern } from '../../protocol/rule-words.ts';
import { ruleEffectWords } from '../model/rules.ts';
import { visibleText } from '../../protocol/escapes.ts';
import type { FileEntry, PermissionMode, SessionFile, SessionView } from '../../protocol/types.ts';
import { useNow, type ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { failureText } from '../model/failure.ts';
import { byteCount } from '../model/folding.ts';
import { t } from '../model/language.ts';
import { addressOf } from '../model/location.ts';
import { aboutMode, MODE_ORDER } from '../model/modes.ts';
import { modeName } from '../model/session-words.ts';
import { hasScope, type Person } from '../model/person.ts';
import { hasTokens, usageDetails } from '../model/usage-words.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { Button, Icon } from '../ui/button.tsx';
import { ConfirmButton, Sheet } from '../ui/sheet.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Literal } from '../ui/literal.tsx';
import { CliSessionsPanel } from './history-line.tsx';
import { RenameForm } from './rename-form.tsx';

interface DetailsSheetProps {
  readonly session: SessionView;
  readonly replica: Replica;
  readonly person: Person;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Everything about a session that is not its conversation. */
export function DetailsSheet({
  session,
  replica,
  person,
  transport,
  clock,
  onClose,
  onDeleted,
}: DetailsSheetProps) {
  const { id } = session;
  const now = useNow(clock, MINUTE_MS);
  const canAnswer = hasScope(person, 'answer');
  const isAdmin = hasScope(person, 'admin');
  return (
    <Sheet title={t('Session settings')} side="right" onClose={onClose}>
      <ModeChoice
        mode={session.permissionMode}
        isAdmin={isAdmin}
        onChange={canAnswer ? (mode) => transport.setMode(id, mode) : undefined}
      />
      <RulesPanel
        rules={replica.rules}
        now={now}
        onRevoke={canAnswer ? (ruleId) => transport.revokeRule(id, ruleId) : undefined}
      />
      <FilesPanel transport={transport} sessionId={id} now={now} head={replica.head} />
      <CliSessionsPanel sources={session.cliSessions ?? []} />
      <section class="panel" aria-labelledby="session-title">
        <h3 id="session-title">{t('Session')}</h3>
        {canAnswer && (
          <RenameForm
            title={session.title ?? ''}
            onRename={(title) => transport.rename(id, title)}
          />
        )}
        <div class="choices">
          {canAnswer && (
            <ArchiveButton
              isArchived={session.archived === true}
              onChange={(isArchived) => transport.archive(id, isArchived)}
            />
          )}
          {hasScope(person, 'send') && (
            <ConfirmButton
              words={t('Clear context')}
              warning={t(
                'The agent forgets this conversation and starts over. Open requests are cancelled. Messages stay here to read.',
              )}
              confirm={t('Clear context')}
              onConfirm={() => transport.clear(id)}
            />
          )}
          {isAdmin && (
            <ConfirmButton
              words={t('Delete session')}
              warning={t(
                'The conversation, its files and its rules are erased for everyone. This cannot be undone.',
              )}
              confirm={t('Delete permanently')}
              onConfirm={async () => {
                await transport.deleteSession(id);
                onDeleted();
              }}
            />
          )}
        </div>
        {hasTokens(session.usage) && <p class="muted">{usageDetails(session.usage)}</p>}
        <p class="session-id">
          <span class="muted code">{id}</span>
          <CopyButton
            label={t('Copy link to this session')}
            text={() => location.origin + addressOf({ session: id })}
          >
            {t('Copy link')}
          </CopyButton>
        </p>
      </section>
    </Sheet>
  );
}

interface ModeChoiceProps {
  readonly mode: PermissionMode;
  readonly isAdmin: boolean;
  /** Undefined without the scope `answer`. */
  readonly onChange: ((mode: PermissionMode) => Promise<unknown>) | undefined;
}

/** The permission modes, each with a sentence. */
function ModeChoice({ mode, isAdmin, onChange }: ModeChoiceProps) {
  const { isBusy, failure, run } = useAsyncAction();
  return (
    <fieldset class="modes" disabled={onChange === undefined || isBusy}>
      <legend>{t('Permissions')}</legend>
      {MODE_ORDER.map((name) => (
        <label key={name} class="mode">
          <input
            type="radio"
            name="mode"
            value={name}
            checked={name === mode}
            disabled={name === 'bypassPermissions' && !isAdmin}
            onChange={() => void run(async () => onChange?.(name))}
          />
          <span>
            <strong>{modeName(name)}</strong>
            <span class="about">{aboutMode(name)}</span>
          </span>
        </label>
      ))}
      <FailureNote text={failure} />
    </fieldset>
  );
}

interface ArchiveButtonProps {
  readonly isArchived: boolean;
  readonly onChange: (isArchived: boolean) => Promise<unknown>;
}

function ArchiveButton({ isArchived, onChange }: ArchiveButtonProps) {
  const { isBusy, failure, run } = useAsyncAction();
  return (
    <>
      <Button isBusy={isBusy} onClick={() => void run(() => onChange(!isArchived))}>
        {isArchived ? t('Move back to the list') : t('Archive for everyone')}
      </Button>
      <FailureNote text={failure} />
    </>
  );
}

interface FilesPanelProps {
  readonly transport: Pick<Transport, 'files' | 'file'>;
  readonly sessionId: string;
  readonly now: number;
  /** Changes with every event, which may have changed a file. */
  readonly head: number;
}

/** The files that the agent keeps in the session. */
function FilesPanel({ transport, sessionId, now, head }: FilesPanelProps) {
  const [files, setFiles] = useState<readonly FileEntry[]>();
  const [shown, setShown] = useState<SessionFile>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    transport.files(sessionId).then(
      (found) => isWanted && setFiles(found),
      (cause: unknown) => isWanted && setFailure(failureText(cause)),
    );
    return () => {
      isWanted = false;
    };
  }, [transport, sessionId, head]);

  const show = (path: string) => {
    setFailure(undefined);
    transport
      .file(sessionId, path)
      .then(setShown, (cause: unknown) => setFailure(failureText(cause)));
  };
  return (
    <section class="panel" aria-labelledby="files-title">
      <h3 id="files-title">{t('Files')}</h3>
      {files?.length === 0 && (
        <p class="muted">{t('None yet. What the agent writes is kept here.')}</p>
      )}
      <ul class="lines">
        {files?.map(({ path, size, updatedAt }) => (
          <li key={path}>
            <button
              type="button"
              class="file"
              aria-expanded={shown?.path === path}
              onClick={() => (shown?.path === path ? setShown(undefined) : show(path))}
            >
              <Icon name="file" />
              <span class="line">
                <strong>{visibleText(path)}</strong>
                <span class="about">
                  {byteCount(size)}, {relativeTime(updatedAt, now)}
                </span>
              </span>
            </button>
            {shown?.path === path && (
              <div class="literal">
                <pre
                  class="raw"
                  tabIndex={0}
                  aria-label={t('Content of {name}', { name: visibleText(path) })}
                  role="group"
                >
                  <Literal text={shown.content} />
                </pre>
              </div>
            )}
          </li>
        ))}
      </ul>
      <FailureNote text={failure} />
    </section>
  );
}

interface RulesPanelProps {
  readonly rules: Replica['rules'];
  readonly now: number;
  readonly onRevoke: ((ruleId: string) => Promise<unknown>) | undefined;
}

/** The rules of the session, and buttons to revoke them. */
function RulesPanel({ rules, now, onRevoke }: RulesPanelProps) {
  const { isBusy, failure, run } = useAsyncAction();
  return (
    <section class="panel" aria-labelledby="rules-title">
      <h3 id="rules-title">{t('Rules of this session')}</h3>
      {rules.length === 0 && (
        <p class="muted">
          {t('Nothing yet. “Allow for session…” on an approval adds to this list.')}
        </p>
      )}
      <ul class="lines">
        {rules.map(({ id, toolName, createdBy, createdAt, ...rule }) => (
          <li key={id}>
            <span class="line">
              <strong>{visibleText(describePattern({ toolName, ...rule }))}</strong>
              <span class="about">
                {t('{what}, by {name}, {when}', {
                  what: ruleEffectWords(rule.effect),
                  name: visibleText(createdBy),
                  when: relativeTime(createdAt, now),
                })}
              </span>
            </span>
            {onRevoke !== undefined && (
              <Button
                disabled={isBusy}
                aria-label={t('Revoke {toolName}', { toolName: visibleText(toolName) })}
                onClick={() => void run(() => onRevoke(id))}
              >
                {t('Revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <FailureNote text={failure} />
    </section>
  );
}
