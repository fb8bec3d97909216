import { escapeInvisible } from '../../protocol/escapes.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import type { OfferedLogin } from '../model/browser-session.ts';
import { t } from '../model/language.ts';
import { beginLogin } from '../sign-in-requests.ts';
import { Button } from '../ui/button.tsx';

export interface LoginWay {
  readonly login: OfferedLogin;
  /** The place in the chat to return to. */
  readonly returnTo: string;
  readonly invitation?: string | undefined;
  /** Before the browser leaves for the provider. */
  readonly onLeave: () => void;
}

export function LoginButton({ login, returnTo, invitation, onLeave }: LoginWay) {
  const { isBusy, failure, run } = useAsyncAction();
  const leave = async () => {
    const address = await beginLogin(returnTo, invitation);
    onLeave();
    location.assign(address);
  };
  return (
    <>
      <Button kind="primary" isBusy={isBusy} onClick={() => void run(leave)}>
        {t('Sign in with {name}', { name: escapeInvisible(login.name) })}
      </Button>
      <FailureNote text={failure} />
    </>
  );
}
