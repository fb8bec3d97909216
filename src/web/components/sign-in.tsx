import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Notice } from './notice-screen.tsx';

interface Props {
  /** They were signed in, and are not any more. */
  readonly isOver: boolean;
  /** False: this is no token. */
  readonly onToken: (token: string) => boolean;
}

/** What to do without a link, or with one that is over. */
export function SignIn({ isOver, onToken }: Props) {
  const [token, setToken] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <Notice title={isOver ? 'Your link has run out' : 'Open your link to begin'}>
      <p>
        {isOver
          ? 'Ask whoever gave it to you for a new one. What you wrote and did not send is kept on this device.'
          : 'This chat opens with a link that signs you in. Ask whoever runs this server for one.'}
      </p>
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
    </Notice>
  );
}
