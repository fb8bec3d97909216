/**
 * An approval of an input that is too large for its record: the card shows a view of it, says how much is missing, and has the
 * whole input as a file and in pages. It approves only once the person has said what they have read, which the record keeps.
 */
import { useId, useRef, useState } from 'preact/hooks';
import { readChoices } from '../../../protocol/approval-choices.ts';
import { hidesInput } from '../../../protocol/interaction-record.ts';
import type { JsonObject } from '../../../protocol/types.ts';
import {
  hiddenPartNotice,
  READINGS,
  readingWords,
  type Reading,
  textViewNotice,
} from '../../model/cards/large-input.ts';
import type { CardBodyProps } from '../card-props.ts';
import { ChoiceApproval } from './choice-approval.tsx';
import { ToolApproval } from './tool-approval.tsx';
import { WholeInput } from './whole-input.tsx';
import { t } from '../../model/language.ts';

export function LargeApproval(props: CardBodyProps) {
  const { answering, isLive } = props;
  const { record, isBusy } = answering;
  const [reading, setReading] = useState<Reading>();
  const [isMissing, setMissing] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const mustSay = hidesInput(record);
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
          {hiddenPartNotice(record)}
          {textViewNotice(record)}
          {read === 'part' && t('It was approved without reading all of it.')}
        </p>
        <WholeInput {...props} />
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
      <legend>{t('Before you approve:')}</legend>
      {READINGS.map((value, at) => (
        <label key={value} class="choice">
          <input
            ref={at === 0 ? first : null}
            type="radio"
            name={name}
            checked={reading === value}
            onChange={() => onRead(value)}
          />
          <span>{readingWords(value)}</span>
        </label>
      ))}
      <p id={`${name}-missing`} role="alert" class="failure" hidden={!isMissing}>
        {t('Say what you have read, then approve.')}
      </p>
    </fieldset>
  );
}
