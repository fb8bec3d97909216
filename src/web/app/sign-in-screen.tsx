import { useState } from 'preact/hooks';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { Button } from '../ui/button.tsx';
import { NoticeScreen } from './notice-screen.tsx';

interface SignInScreenProps {
  readonly problem: 'expired' | 'dead-link' | undefined;
  /** The person who was signed in before the link that failed. */
  readonly before: string | undefined;
  readonly onResume: () => void;
  /** Returns false for a text that is not a token. */
  readonly onToken: (token: string) => boolean;
}

const TITLES = {
  expired: 'This link has expired',
  'dead-link': 'This link does not work',
} as const;

const REASONS = {
  expired:
    'Ask the person who gave it to you for a new one. What you wrote and did not send is kept on this device.',
  'dead-link': 'It is incomplete, or it was made for another server. Ask for a new one.',
} as const;

/** Shown without a link, and for a link that does not work. */
export function SignInScreen({ problem, before, onResume, onToken }: SignInScreenProps) {
  const [token, setToken] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <NoticeScreen title={problem === undefined ? 'Sign in' : TITLES[problem]}>
      <p>
        {problem === undefined
          ? 'This chat opens with a link that signs you in. Ask the person who runs this server for one.'
          : REASONS[problem]}
      </p>
      {before !== undefined && (
        <Button kind="primary" onClick={onResume}>
          Go on as {escapeInvisible(before)}
        </Button>
      )}
      <p>
        If you run it yourself: <code>npm run link</code> prints one.
      </p>
      <form
        class="sign-in"
        onSubmit={(event) => {
          event.preventDefault();
          setWrong(!onToken(token));
        }}
      >
        <label>
          <span class="label">Or paste the link or token here</span>
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
        <Button kind="primary" type="submit" disabled={token.trim() === ''}>
          Sign in
        </Button>
        <p id="sign-in-wrong" role="alert" class="failure" hidden={!isWrong}>
          That is neither a link nor a token.
        </p>
      </form>
    </NoticeScreen>
  );
}
