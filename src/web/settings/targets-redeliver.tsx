import { useId, useState } from 'preact/hooks';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { HOUR_MS, localInputTime, readLocalInputTime } from '../model/times.ts';
import { t, tn } from '../model/language.ts';
import { Button } from '../ui/button.tsx';

interface RedeliverSinceProps {
  readonly now: number;
  readonly onRedeliver: (since: number) => Promise<number>;
}

/** After an outage of the receiver: sends again everything that has ended since a time, delivered or not. */
export function RedeliverForm({ now, onRedeliver }: RedeliverSinceProps) {
  const [text, setText] = useState(() => localInputTime(now - HOUR_MS));
  const [result, setResult] = useState('');
  const { isBusy, failure, run } = useAsyncAction();
  const id = useId();
  const since = readLocalInputTime(text);
  const send = async () => {
    setResult('');
    if (since === undefined) return;
    const count = await onRedeliver(since);
    setResult(tn(count, 'One delivery is sent again.', '{count} deliveries are sent again.'));
  };
  return (
    <form
      class="redeliver"
      onSubmit={(event) => {
        event.preventDefault();
        void run(send);
      }}
    >
      <div class="text-field">
        <label for={id}>{t('Send again what was made since')}</label>
        <input
          id={id}
          type="datetime-local"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <Button type="submit" isBusy={isBusy} disabled={since === undefined}>
        {t('Send all again')}
      </Button>
      <p role="status" class="about">
        {result}
      </p>
      <FailureNote text={failure} />
    </form>
  );
}
