/** What people do with sessions every day: times, links, the list of sessions, search, attachments. */
import type { Catalogue } from '../../model/language.ts';

export const DAILY: Catalogue = {
  Copied: 'Kopiert',
  Copy: 'Kopieren',
  'Copy link': 'Link kopieren',
  'Copy link to this session': 'Link kopieren zu dieser Sitzung',
  'Link copied': 'Link kopiert',
  'Not copied': 'Nicht kopiert',
  'Selected. Copy it with the keyboard.': 'Markiert. Kopiere es mit der Tastatur.',
  '{time}: copy the link to this message': '{time}: Link zu dieser Nachricht kopieren',
  '{time}: copy the link to this request': '{time}: Link zu dieser Anfrage kopieren',
};
