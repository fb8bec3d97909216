import type { Transport } from '../../client/transport.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t } from '../model/language.ts';
import { addressOf } from '../model/location.ts';
import { hasScope, type Person } from '../model/person.ts';
import { sessionTitleOf, type ListedSession } from '../model/sessions-list.ts';
import { RenameForm } from '../session/rename-form.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton, Sheet } from '../ui/sheet.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

interface SessionMenuProps {
  readonly entry: ListedSession;
  readonly person: Person;
  readonly transport: Pick<Transport, 'pin' | 'archive' | 'rename' | 'deleteSession'>;
  readonly onClose: () => void;
  /** The list must be read again. */
  readonly onChanged: () => void;
  /** The session leaves this list. */
  readonly onGone: (isDeleted: boolean) => void;
}

/** What a person does with a session of the list without opening it. */
export function SessionMenu(props: SessionMenuProps) {
  const { entry, person, transport, onClose, onChanged, onGone } = props;
  const { id, pinned = false, archived = false } = entry;
  const { isBusy, failure, run } = useAsyncAction();
  const done = async (work: () => Promise<unknown>, after: () => void) => {
    if (!(await run(work))) return;
    after();
    onChanged();
    onClose();
  };
  const nothing = () => undefined;
  return (
    <Sheet title={escapeInvisible(sessionTitleOf(entry))} side="middle" onClose={onClose}>
      {hasScope(person, 'answer') && (
        <RenameForm
          title={entry.title ?? ''}
          onRename={(title) => done(() => transport.rename(id, title), nothing)}
        />
      )}
      <div class="choices">
        <Button
          isBusy={isBusy}
          onClick={() =>
            void done(
              () => transport.pin(id, !pinned),
              () => onGone(false),
            )
          }
        >
          {pinned ? t('Unpin') : t('Pin for me')}
        </Button>
        {hasScope(person, 'answer') && (
          <Button
            isBusy={isBusy}
            onClick={() =>
              void done(
                () => transport.archive(id, !archived),
                () => onGone(false),
              )
            }
          >
            {archived ? t('Move back to the list') : t('Archive for everyone')}
          </Button>
        )}
        <CopyButton
          label={t('Copy link to this session')}
          text={() => location.origin + addressOf({ session: id })}
        >
          {t('Copy link')}
        </CopyButton>
        {hasScope(person, 'admin') && (
          <ConfirmButton
            words={t('Delete session')}
            warning={t(
              'The conversation, its files and its rules are erased for everyone. This cannot be undone.',
            )}
            confirm={t('Delete permanently')}
            onConfirm={() =>
              done(
                () => transport.deleteSession(id),
                () => onGone(true),
              )
            }
          />
        )}
      </div>
      <FailureNote text={failure} />
    </Sheet>
  );
}
