import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import { wasEdited } from '../model/cards/was-edited.ts';
import type { Viewer } from '../model/cards/outcome-words.ts';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import rowStyle from '../styles/settled-row.css?inline';
import { Icon } from '../ui/button.tsx';
import type { CallInRow } from './card-props.ts';
import { CardAudience, CardStatus } from './parts/card-status.tsx';

adoptStyle(rowStyle);

export interface RowParts extends CallInRow {
  /** Behind a press. */
  readonly details: ComponentChildren;
}

interface SettledRowProps {
  readonly record: Interaction;
  readonly me: Viewer;
  readonly clock: ServerClock;
  readonly row: RowParts;
  /** Of the title. */
  readonly id: string;
  readonly title: ComponentChildren;
}

/** One line: what was asked for, who decided, and what became of it. The input and the result are one press away. */
export function SettledRow({ record, me, clock, row, id, title }: SettledRowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card-row" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2 id={id}>{title}</h2>
        <CardStatus {...{ record, me, clock }} isInRow={!isOpen} />
        {wasEdited(record) && <span class="edited">{t('with edits')}</span>}
        {row.status}
        <span class="turned">
          <Icon name="chevron" />
        </span>
      </summary>
      {isOpen && (
        <div class="card-details">
          <CardAudience record={record} />
          {row.details}
          {row.result}
        </div>
      )}
    </details>
  );
}
