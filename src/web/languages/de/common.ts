/** What several parts of the chat say. */
import type { Catalogue } from '../../model/language.ts';

export const COMMON: Catalogue = {
  Sessions: 'Sitzungen',
  'Sign in': 'Anmelden',
  'Try now': 'Jetzt versuchen',
  'just now': 'gerade eben',
};
