import { useState } from 'preact/hooks';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { t, tx } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { LoginButton, type LoginWay } from './login-button.tsx';
import { NoticeScreen } from './notice-screen.tsx';

interface SignInScreenProps {
  readonly problem: 'expired' | 'dead-link' | 'signed-out' | undefined;
  /** The person who was signed in before the link that failed. */
  readonly before: string | undefined;
  /** How people sign in here; left out where they come with a link alone. */
  readonly loginBy?: LoginWay | undefined;
  readonly onResume: () => void;
  /** Returns false for a text that is not a token. */
  readonly onToken: (token: string) => boolean;
}

/** Shown without a sign-in, and for a link that does not work. */
export function SignInScreen(props: SignInScreenProps) {
  const { problem, before, loginBy, onResume, onToken } = props;
  const [token, setToken] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <NoticeScreen title={signInTitle(problem)}>
      <p>{signInReason(problem, loginBy !== undefined)}</p>
      {loginBy !== undefined && <LoginButton {...loginBy} />}
      {before !== undefined && (
        <Button kind="primary" onClick={onResume}>
          {t('Go on as {name}', { name: escapeInvisible(before) })}
        </Button>
      )}
      {loginBy === undefined && (
        <p>
          {tx('If you run it yourself: {command} prints one.', {
            command: <code>npm run link</code>,
          })}
        </p>
      )}
      <form
        class="sign-in"
        onSubmit={(event) => {
          event.preventDefault();
          setWrong(!onToken(token));
        }}
      >
        <label>
          <span class="label">{t('Or paste the link or token here')}</span>
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token}
            aria-invalid={isWrong}
            aria-describedby="sign-in-wrong"
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <Button
          kind={loginBy === undefined ? 'primary' : 'plain'}
          type="submit"
          disabled={token.trim() === ''}
        >
          {t('Sign in')}
        </Button>
        <p id="sign-in-wrong" role="alert" class="failure" hidden={!isWrong}>
          {t('That is neither a link nor a token.')}
        </p>
      </form>
    </NoticeScreen>
  );
}

type Problem = SignInScreenProps['problem'];

function signInTitle(problem: Problem): string {
  switch (problem) {
    case undefined:
      return t('Sign in');
    case 'expired':
      return t('This link has expired');
    case 'dead-link':
      return t('This link does not work');
    case 'signed-out':
      return t('You are signed out');
  }
}

function signInReason(problem: Problem, hasLogin: boolean): string {
  switch (problem) {
    case undefined:
      if (hasLogin) return t('Sign in to see what waits for you.');
      return t(
        'This chat opens with a link that signs you in. Ask the person who runs this server for one.',
      );
    case 'expired':
      return t(
        'Ask the person who gave it to you for a new one. What you wrote and did not send is kept on this device.',
      );
    case 'dead-link':
      return t('It is incomplete, or it was made for another server. Ask for a new one.');
    case 'signed-out':
      return t('Your sign-in has ended. What you wrote and did not send is kept on this device.');
  }
}
