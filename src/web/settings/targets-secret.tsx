import { useId, useRef } from 'preact/hooks';
import { type ListedTarget, slackAddressOf } from '../model/targets.ts';
import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { TargetSecrets } from './settings-requests.ts';

interface SecretSheetProps {
  readonly title: string;
  readonly secrets: TargetSecrets;
  readonly target: ListedTarget;
  readonly onClose: () => void;
}

/** The secret and the key of a target, the only time that they can be read. Slack needs an address instead. */
export function SecretSheet({ title, secrets, target, onClose }: SecretSheetProps) {
  const { secret, key } = secrets;
  const slackAddress = slackAddressOf(target, location.origin);
  return (
    <Sheet title={title} side="middle" onClose={onClose}>
      {secret === undefined ? (
        <>
          <p>{t('It is sent what happens from now on.')}</p>
          {slackAddress !== undefined && (
            <CopyField
              label={t('Request URL')}
              copyWords={t('Copy request url')}
              hint={t(
                'Put it into the Slack app under “Interactivity & Shortcuts”. Without it, buttons do nothing.',
              )}
              value={slackAddress}
            />
          )}
        </>
      ) : (
        <>
          <p>{t('Copy these now. They are shown only once.')}</p>
          <CopyField
            label={t('Signing secret')}
            copyWords={t('Copy signing secret')}
            hint={t('The receiver verifies deliveries with it, and signs its answers.')}
            value={secret}
          />
          {key !== undefined && (
            <CopyField
              label={t('Answer key')}
              copyWords={t('Copy answer key')}
              hint={t('A receiver that cannot sign sends it as a bearer token with its answers.')}
              value={key}
            />
          )}
        </>
      )}
      <div class="choices">
        <Button kind="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </Sheet>
  );
}

interface CopyFieldProps {
  readonly label: string;
  readonly copyWords: string;
  readonly hint: string;
  readonly value: string;
}

/** A value that is shown once, to be copied. */
export function CopyField({ label, copyWords, hint, value }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <div class="copy-field">
      <label for={id}>{label}</label>
      <div class="copy-line">
        <input
          id={id}
          ref={field}
          class="code"
          readOnly
          value={value}
          aria-describedby={`${id}-hint`}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={value} label={copyWords} shown={field} />
      </div>
      <p class="about" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
