import type { ConnectionStatus } from '../../client/transport.ts';
import { NoticeScreen } from '../app/notice-screen.tsx';
import { failureText } from '../model/failure.ts';
import { t } from '../model/language.ts';

interface SessionEndedProps {
  readonly status: ConnectionStatus;
  readonly isDeleted: boolean;
  readonly onMenu: (() => void) | undefined;
}

/** A session that does not exist, or that this person may not see. */
export function SessionEnded({ status, isDeleted, onMenu }: SessionEndedProps) {
  const error = status.type === 'closed' ? status.error : undefined;
  const isMissing = isDeleted || error?.code === 'not_found' || error?.code === 'session_deleted';
  return (
    <NoticeScreen
      title={isMissing ? t('Session not found') : t('This session cannot be shown')}
      onMenu={onMenu}
    >
      <p>{isMissing ? t('It was deleted, or the link is incomplete.') : failureText(error)}</p>
    </NoticeScreen>
  );
}
