import { useState } from 'preact/hooks';
import type { Replica } from '../../client/state/replica.ts';
import type { Transport } from '../../client/transport.ts';
import { TITLE_CHARS } from '../../protocol/limits.ts';
import type { PermissionMode, SessionView } from '../../protocol/types.ts';
import { useNow, type ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { MODE_ORDER, MODE_WORDS } from '../model/session-words.ts';
import { hasScope, type Person } from '../model/person.ts';
import { MINUTE_MS } from '../model/times.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { FilesPanel } from './files-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { CliSessionsPanel } from './history-line.tsx';

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
    <Sheet title="Session settings" side="right" onClose={onClose}>
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
        <h3 id="session-title">Session</h3>
        {canAnswer && (
          <RenameForm
            title={session.title ?? ''}
            onRename={(title) => transport.rename(id, title)}
          />
        )}
        <div class="choices">
          {hasScope(person, 'send') && (
            <ConfirmButton
              words="Clear context"
              warning="The agent forgets this conversation and starts over. Open requests are cancelled. Messages stay here to read."
              confirm="Clear context"
              onConfirm={() => transport.clear(id)}
            />
          )}
          {isAdmin && (
            <ConfirmButton
              words="Delete session"
              warning="The conversation, its files and its rules are erased for everyone. This cannot be undone."
              confirm="Delete permanently"
              onConfirm={async () => {
                await transport.deleteSession(id);
                onDeleted();
              }}
            />
          )}
        </div>
        <p class="muted code">{id}</p>
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
      <legend>Permissions</legend>
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
            <strong>{MODE_WORDS[name].name}</strong>
            <span class="about">{MODE_WORDS[name].about}</span>
          </span>
        </label>
      ))}
      <FailureNote text={failure} />
    </fieldset>
  );
}

interface RenameFormProps {
  readonly title: string;
  readonly onRename: (title: string) => Promise<unknown>;
}

function RenameForm({ title, onRename }: RenameFormProps) {
  const [text, setText] = useState(title);
  const { isBusy, failure, run } = useAsyncAction();
  const isChanged = text.trim() !== '' && text.trim() !== title;
  return (
    <form
      class="rename"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void run(() => onRename(text.trim()));
      }}
    >
      <label>
        <span class="label">Title</span>
        <input
          value={text}
          maxLength={TITLE_CHARS}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Button type="submit" isBusy={isBusy} disabled={!isChanged}>
        Rename
      </Button>
      <FailureNote text={failure} />
    </form>
  );
}
