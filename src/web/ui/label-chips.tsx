import { formatNumber } from '../model/language.ts';
import type { LabelChip } from '../model/label-chips.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import chipStyle from '../styles/label-chips.css?inline';

adoptStyle(chipStyle);

interface LabelChipsProps {
  readonly chips: readonly (LabelChip & { readonly count?: number })[];
}

export function LabelChips({ chips }: LabelChipsProps) {
  return chips.map(({ text, isProduction, count }) => (
    <span key={text} class={isProduction ? 'label-chip production' : 'label-chip'} dir="auto">
      {count !== undefined && `${formatNumber(count)} `}
      {text}
    </span>
  ));
}
