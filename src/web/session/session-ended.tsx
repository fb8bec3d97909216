import type { ConnectionStatus } from '../../client/subscription.ts';
import { failureText } from '../model/failure.ts';
import { Notice } from '../app/notice-screen.tsx';

interface Props {
  readonly status: ConnectionStatus;
  readonly isDeleted: boolean;
  readonly onMenu: (() => void) | undefined;
}

/** A session that is not there, or not for this person. */
export function Gone({ status, isDeleted, onMenu }: Props) {
  const error = status.type === 'closed' ? status.error : undefined;
  const isMissing = isDeleted || error?.code === 'not_found' || error?.code === 'session_deleted';
  return (
    <Notice
      title={isMissing ? 'This session is gone' : 'This session cannot be shown'}
      onMenu={onMenu}
    >
      <p>
        {isMissing
          ? 'It was deleted, or the link to it is not complete. The list of sessions has those that are there.'
          : failureText(error)}
      </p>
    </Notice>
  );
}
