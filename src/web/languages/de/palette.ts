/** The search for sessions, requests, pages and commands, and the switch of workspaces. */
import type { Catalogue } from '../../model/language.ts';

export const PALETTE: Catalogue = {
  'Back to {name}': 'Zurück zu {name}',
  'Keys and marks': 'Tasten und Zeichen',
  'Nothing has these words. Try the name of a session, a tool or a page.':
    'Nichts enthält diese Wörter. Versuche den Namen einer Sitzung, eines Werkzeugs oder einer Seite.',
  'Opening makes a key of that workspace, for eight hours. Its audit list has it.':
    'Das Öffnen legt einen Schlüssel jenes Arbeitsbereichs an, für acht Stunden. Er steht in dessen Protokoll.',
  Pages: 'Seiten',
  Results: 'Ergebnisse',
  'Search and commands': 'Suche und Befehle',
  'Sessions, requests, pages and actions': 'Sitzungen, Anfragen, Seiten und Aktionen',
  'This device': 'Dieses Gerät',
  'This request': 'Diese Anfrage',
  'This session': 'Diese Sitzung',
  'You are in {name}.': 'Du bist in {name}.',
  '{count} results': { one: 'Ein Ergebnis', other: '{count} Ergebnisse' },
  '{shown} of {total}': '{shown} von {total}',
};
