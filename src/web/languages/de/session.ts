/** A session: its head, its sheet, its end. */
import type { Catalogue } from '../../model/language.ts';

export const SESSION: Catalogue = {
  'It was deleted, or the link is incomplete.':
    'Sie wurde gelöscht, oder der Link ist unvollständig.',
  'Session not found': 'Sitzung nicht gefunden',
  'This session cannot be shown': 'Diese Sitzung kann nicht gezeigt werden',
};
