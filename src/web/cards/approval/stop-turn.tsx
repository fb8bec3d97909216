import { t } from '../../model/language.ts';
import { adoptStyle } from '../../styles/adopt-style.ts';
import choicesStyle from '../../styles/choices.css?inline';

adoptStyle(choicesStyle);

interface StopTurnProps {
  readonly isOn: boolean;
  readonly isBusy: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Beside a denial: the turn of the agent ends as well (APR-7). */
export function StopTurn({ isOn, isBusy, onChange }: StopTurnProps) {
  return (
    <label class="choice stop-turn">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isBusy}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{t('Also stop the agent’s turn')}</span>
    </label>
  );
}
