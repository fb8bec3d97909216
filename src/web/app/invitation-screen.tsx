import { useEffect, useState } from 'preact/hooks';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import type { BrowserSession } from '../model/browser-session.ts';
import { failureText } from '../model/failure.ts';
import { t } from '../model/language.ts';
import { acceptInvitation } from '../sign-in-requests.ts';
import { Button } from '../ui/button.tsx';
import { LoginButton } from './login-button.tsx';
import { NoticeScreen } from './notice-screen.tsx';

interface InvitationScreenProps {
  readonly invitation: string;
  readonly returnTo: string;
  /** The person who is signed in already. */
  readonly current: string | undefined;
  readonly askSession: () => Promise<BrowserSession>;
  readonly onToken: (token: string) => void;
  readonly onLeave: () => void;
  readonly onDecline: () => void;
}

/** Shown for an invitation, which is good once: nothing happens before a press. */
export function InvitationScreen(props: InvitationScreenProps) {
  const { invitation, returnTo, current, askSession, onToken, onLeave, onDecline } = props;
  const [session, setSession] = useState<BrowserSession>();
  const [problem, setProblem] = useState<string>();
  const { isBusy, failure, run } = useAsyncAction();
  useEffect(() => {
    askSession().then(setSession, (cause: unknown) => setProblem(failureText(cause)));
  }, [askSession]);
  const accept = async () => onToken(await acceptInvitation(invitation));
  return (
    <NoticeScreen title={t('You are invited')}>
      <p>{t('The invitation lets you in once. What you decide is recorded under your name.')}</p>
      {session?.login !== undefined && (
        <LoginButton {...{ returnTo, invitation, onLeave }} login={session.login} />
      )}
      {session !== undefined && session.login === undefined && (
        <Button kind="primary" isBusy={isBusy} onClick={() => void run(accept)}>
          {t('Accept the invitation')}
        </Button>
      )}
      <FailureNote text={problem ?? failure} />
      {current !== undefined && (
        <Button onClick={onDecline}>
          {t('Go on as {name}', { name: escapeInvisible(current) })}
        </Button>
      )}
    </NoticeScreen>
  );
}
