/** A session: its head, its sheet, its end. */
import type { Catalogue } from '../../model/language.ts';

export const SESSION: Catalogue = {
  'Clear context': 'Kontext löschen',
  'Command-line conversations': 'Gespräche der Kommandozeile',
  'Content of {name}': 'Inhalt von {name}',
  'Delete permanently': 'Endgültig löschen',
  'Delete session': 'Sitzung löschen',
  'Demo mode:': 'Demo:',
  Files: 'Dateien',
  'History from {names} · {entries} · {source}': 'Verlauf aus {names} · {entries} · {source}',
  'It was deleted, or the link is incomplete.':
    'Sie wurde gelöscht, oder der Link ist unvollständig.',
  'Loading the history from {names}…': 'Der Verlauf aus {names} wird geladen …',
  'Mode:': 'Modus:',
  'no history imported yet': 'noch kein Verlauf importiert',
  'None yet. What the agent writes is kept here.':
    'Noch keine. Was der Agent schreibt, liegt hier.',
  'Nothing yet. “Allow for session…” on an approval adds to this list.':
    'Noch nichts. „Für Sitzung erlauben …“ bei einer Genehmigung ergänzt diese Liste.',
  'Opening…': 'Wird geöffnet …',
  Permissions: 'Berechtigungen',
  Rename: 'Umbenennen',
  'Revoke {toolName}': '{toolName} widerrufen',
  Session: 'Sitzung',
  'Session not found': 'Sitzung nicht gefunden',
  'Session settings': 'Einstellungen der Sitzung',
  'Set ANTHROPIC_API_KEY to talk to one.': 'Setze ANTHROPIC_API_KEY, um mit einem zu sprechen.',
  'The agent forgets this conversation and starts over. Open requests are cancelled. Messages stay here to read.':
    'Der Agent vergisst dieses Gespräch und beginnt von vorn. Offene Anfragen werden abgebrochen. Die Nachrichten bleiben hier lesbar.',
  'The conversation, its files and its rules are erased for everyone. This cannot be undone.':
    'Das Gespräch, seine Dateien und seine Regeln werden für alle gelöscht. Das lässt sich nicht rückgängig machen.',
  'The history from {names} could not be loaded. {reason}':
    'Der Verlauf aus {names} konnte nicht geladen werden. {reason}',
  'This session cannot be shown': 'Diese Sitzung kann nicht gezeigt werden',
  Title: 'Titel',
  '{count} conversations': '{count} Gespräche',
  '{count} entries': { one: '1 Eintrag', other: '{count} Einträge' },
  '{demo} scripted agent, no model connected.':
    '{demo} Agent nach Drehbuch, kein Modell verbunden.',
  '{what}, by {name}, {when}': '{what}, von {name}, {when}',
};
