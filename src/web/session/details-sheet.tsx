import type { Replica } from '../../client/state/replica.ts';
import type { SessionView } from '../../protocol/types.ts';
import { type ServerClock, useNow } from '../clock.ts';
import { hasScope, type Person } from '../model/person.ts';
import { MINUTE_MS } from '../model/times.ts';
import type { Transport } from '../../client/transport.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FilesPanel } from './files-panel.tsx';
import { ModeChoice } from './mode-choice.tsx';
import { RenameForm } from './rename-form.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { Sheet } from '../ui/sheet.tsx';

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
