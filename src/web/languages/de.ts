/**
 * German. One file for each folder of `src/web`, or for a page with many texts; what several folders say is in
 * `de/common.ts`. Entries are in alphabetical order.
 */
import type { Language } from '../model/language.ts';
import { ADMINISTRATION } from './de/administration.ts';
import { APP } from './de/app.ts';
import { CARDS } from './de/cards.ts';
import { COMMON } from './de/common.ts';
import { COMPOSER } from './de/composer.ts';
import { CONVERSATION } from './de/conversation.ts';
import { DAILY } from './de/daily.ts';
import { INBOX } from './de/inbox.ts';
import { DEVICE } from './de/device.ts';
import { GERMAN_ERRORS } from './de/errors.ts';
import { FILES } from './de/files.ts';
import { HELP } from './de/help.ts';
import { INPUT } from './de/input.ts';
import { MODEL } from './de/model.ts';
import { PALETTE } from './de/palette.ts';
import { PEOPLE } from './de/people.ts';
import { RULES } from './de/rules.ts';
import { SESSION } from './de/session.ts';
import { SETTINGS } from './de/settings.ts';
import { TEAM } from './de/team.ts';

/** Each text stands in one of them. */
export const GERMAN_PARTS = [
  ADMINISTRATION,
  APP,
  CARDS,
  COMMON,
  COMPOSER,
  CONVERSATION,
  DAILY,
  INBOX,
  DEVICE,
  FILES,
  HELP,
  INPUT,
  MODEL,
  PALETTE,
  PEOPLE,
  RULES,
  SESSION,
  SETTINGS,
  TEAM,
];

export const GERMAN: Pick<Language, 'catalogue' | 'errors'> = {
  catalogue: Object.assign({}, ...GERMAN_PARTS),
  errors: GERMAN_ERRORS,
};
