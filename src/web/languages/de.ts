/**
 * German. One file for each folder of `src/web`, or for a page with many texts; what several folders say is in
 * `de/common.ts`. Entries are in alphabetical order.
 */
import type { Catalogue } from '../model/language.ts';
import { APP } from './de/app.ts';
import { COMMON } from './de/common.ts';
import { DAILY } from './de/daily.ts';
import { SESSION } from './de/session.ts';

export const GERMAN: Catalogue = { ...COMMON, ...APP, ...DAILY, ...SESSION };
