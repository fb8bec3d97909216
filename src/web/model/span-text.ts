import { formatNumber, t } from './language.ts';

const SPAN_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A measured span, to two digits: "12 sec", "1.5 hr". A dash where nothing was measured. */
export function spanText(ms: number | null): string {
  if (ms === null) return '–';
  const [unit, size] = SPAN_UNITS.find(([, size]) => ms >= size) ?? ['second', 1_000];
  if (ms < 100) return t('at once');
  return formatNumber(ms / size, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumSignificantDigits: 2,
  });
}
