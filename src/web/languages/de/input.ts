/** The input of a tool on its card, and its editing. */
import type { Catalogue } from '../../model/language.ts';

export const INPUT: Catalogue = {
  'as JSON': 'als JSON',
  'Edit as JSON': 'Als JSON bearbeiten',
  'Edit by field': 'Nach Feldern bearbeiten',
  'Edit input (JSON)': 'Eingabe bearbeiten (JSON)',
  'Nothing is changed yet.': 'Noch ist nichts geändert.',
  'This is not JSON.': 'Das ist kein JSON.',
  'Type a number.': 'Gib eine Zahl ein.',
  'Your changes': 'Deine Änderungen',
};
