/** What several parts of the chat say. */
import type { Catalogue } from '../../model/language.ts';

export const COMMON: Catalogue = {
  ' and ': ' und ',
  Cancel: 'Abbrechen',
  Close: 'Schließen',
  Copied: 'Kopiert',
  Copy: 'Kopieren',
  'every call': 'jeden Aufruf',
  Help: 'Hilfe',
  'Image: {name}': 'Bild: {name}',
  'just now': 'gerade eben',
  'Not copied': 'Nicht kopiert',
  Revoke: 'Widerrufen',
  'Selected. Copy it with the keyboard.': 'Markiert. Kopiere es mit der Tastatur.',
  Send: 'Senden',
  Sessions: 'Sitzungen',
  'Show all {size}': 'Alles zeigen: {size}',
  'Show as fields': 'Als Felder zeigen',
  'Show raw JSON': 'Rohes JSON zeigen',
  'Sign in': 'Anmelden',
  Table: 'Tabelle',
  'Try again': 'Noch einmal',
  'Try now': 'Jetzt versuchen',
  untitled: 'ohne Titel',
  'Write a message': 'Schreib eine Nachricht',
};
