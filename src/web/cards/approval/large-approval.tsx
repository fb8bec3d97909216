/**
 * An approval of an input that is too large for its record: the card shows a view of it, says how much is missing, and has the
 * whole input as a file. It approves only once the person has said what they have read, which the record keeps.
 */
import { useId, useRef, useState } from 'preact/hooks';
import { readChoices } from '../../../protocol/approval-choices.ts';
import type { JsonObject } from '../../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { byteCount } from '../../model/folding.ts';
import { saveFile } from '../../ui/save-file.ts';
import { Button } from '../../ui/button.tsx';
import type { CardBodyProps } from '../card-props.ts';
import { ChoiceApproval } from './choice-approval.tsx';
import { ToolApproval } from './tool-approval.tsx';

type Reading = 'whole' | 'part';

export function LargeApproval(props: CardBodyProps) {
  const { answering, isLive } = props;
  const { record, isBusy } = answering;
  const [reading, setReading] = useState<Reading>();
  const [isMissing, setMissing] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const { bytes = 0, hiddenChars = 0, isText = false } = record.wholeInput ?? {};
  const mustSay = hiddenChars > 0;
  const give = async (answer: JsonObject) => {
    if (!mustSay || !approves(record.request, answer)) return answering.give(answer);
    if (reading !== undefined) return answering.give({ ...answer, read: reading });
    setMissing(true);
    first.current?.focus();
    return false;
  };
  const Body = readChoices(record.request) === undefined ? ToolApproval : ChoiceApproval;
  const { read } = record.decision ?? {};
  return (
    <>
      <div class="large-input">
        <p class="card-note">
          {mustSay &&
            `This is a view of a large input: ${hiddenChars} characters of it are not shown here. `}
          {isText && 'It is shown as the JSON text that the agent sent. '}
          {read === 'part' && 'It was approved without reading all of it.'}
        </p>
        <SaveInput {...props} bytes={bytes} />
        {isLive && mustSay && (
          <Readings
            {...{ reading, isBusy, first, isMissing }}
            onRead={(next) => {
              setReading(next);
              setMissing(false);
            }}
          />
        )}
      </div>
      <Body {...props} answering={{ ...answering, give }} />
    </>
  );
}

function approves(request: JsonObject, { decision, choice }: JsonObject): boolean {
  const chosen = readChoices(request)?.find(({ id }) => id === choice);
  return (chosen?.decision ?? decision) === 'approve';
}

function SaveInput({
  answering: { record },
  session,
  transport,
  bytes,
}: CardBodyProps & { readonly bytes: number }) {
  const { isBusy, failure, run } = useAsyncAction();
  const save = () =>
    run(async () => {
      const text = await transport.wholeInput(session.id, record.interactionId);
      saveFile(`${record.interactionId.replaceAll(/[^\w.-]/g, '-')}.json`, text);
    });
  return (
    <div class="card-actions">
      <Button isBusy={isBusy} onClick={() => void save()}>
        Download all of it ({byteCount(bytes)})
      </Button>
      <FailureNote text={failure} />
    </div>
  );
}

interface ReadingsProps {
  readonly reading: Reading | undefined;
  readonly isBusy: boolean;
  readonly first: { current: HTMLInputElement | null };
  readonly isMissing: boolean;
  readonly onRead: (reading: Reading) => void;
}

function Readings({ reading, isBusy, first, isMissing, onRead }: ReadingsProps) {
  const name = useId();
  return (
    <fieldset
      class="session-offer"
      disabled={isBusy}
      aria-describedby={isMissing ? `${name}-missing` : undefined}
    >
      <legend>Before you approve:</legend>
      <label class="choice">
        <input
          ref={first}
          type="radio"
          name={name}
          checked={reading === 'whole'}
          onChange={() => onRead('whole')}
        />
        <span>I have downloaded the input and read all of it</span>
      </label>
      <label class="choice">
        <input
          type="radio"
          name={name}
          checked={reading === 'part'}
          onChange={() => onRead('part')}
        />
        <span>I approve it without reading what is not shown here</span>
      </label>
      <p id={`${name}-missing`} role="alert" class="failure" hidden={!isMissing}>
        Say what you have read, then approve.
      </p>
    </fieldset>
  );
}
