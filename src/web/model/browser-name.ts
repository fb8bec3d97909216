/** A browser as its person recognizes it among a few: "Chrome on Android". */
import { t } from './language.ts';

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const BROWSER_NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'] as const;

/** Nothing of the header itself is kept: its sender may write anything into it. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find((name) => userAgent.includes(name)) ?? t('Browser');
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  const name = BROWSER_NAMES[browser] ?? browser;
  return system === undefined ? name : t('{name} on {system}', { name, system });
}
