/** The sheet with keys and marks. */
import type { Catalogue } from '../../model/language.ts';

export const HELP: Catalogue = {
  'A hidden character': 'Ein verborgenes Zeichen',
  'Approved or answered by you': 'Von dir genehmigt oder beantwortet',
  'Back, without deciding': 'Zurück, ohne zu entscheiden',
  'Begin a new line': 'Eine neue Zeile beginnen',
  'Cancel every open request': 'Jede offene Anfrage abbrechen',
  'Check or uncheck an option, or press a button':
    'Eine Option an- oder abwählen oder einen Knopf drücken',
  'Choose an option': 'Eine Option wählen',
  'Clear the context of the agent': 'Den Kontext des Agenten löschen',
  'Close a sheet': 'Ein Fenster schließen',
  'Decided by another person or a rule, cancelled, or expired.':
    'Von einer anderen Person oder einer Regel entschieden, abgebrochen oder abgelaufen.',
  'Denied by you, or failed': 'Von dir abgelehnt oder gescheitert',
  'Done, and the agent has it or gets it when it comes back.':
    'Erledigt; der Agent hat es oder bekommt es, wenn er zurückkommt.',
  'Ended without you': 'Ohne dich beendet',
  Everywhere: 'Überall',
  'Go to the request, then through its parts': 'Zur Anfrage, dann durch ihre Teile',
  'In its history': 'In seinem Verlauf',
  'In the search for sessions and commands': 'In der Suche nach Sitzungen und Befehlen',
  'It cannot be seen or turns the text around, so it is written out.':
    'Es ist unsichtbar oder dreht den Text um, darum wird es ausgeschrieben.',
  'Move between options': 'Zwischen Optionen wechseln',
  'Move between the results': 'Zwischen den Ergebnissen wechseln',
  'Nothing happens until a person answers.': 'Es geschieht nichts, bis ein Mensch antwortet.',
  'On a request': 'Bei einer Anfrage',
  'Open or do what is marked': 'Öffnen oder ausführen, was markiert ist',
  'Save a comment on a plan; on a Mac ⌘ and Enter':
    'Einen Kommentar zu einem Plan sichern; auf einem Mac ⌘ und Enter',
  'Search sessions, requests, pages and commands': 'Sitzungen, Anfragen, Seiten und Befehle suchen',
  'Send the answer. It never approves a tool: press the button for that.':
    'Die Antwort senden. Genehmigt nie ein Werkzeug: Drücke dafür den Knopf.',
  'Send the message, or deny with the reason': 'Die Nachricht senden, oder mit dem Grund ablehnen',
  'The agent is told, with your reason if you gave one.':
    'Der Agent erfährt es, mit deinem Grund, wenn du einen nennst.',
  'This help': 'Diese Hilfe',
  'What the marks mean': 'Was die Zeichen bedeuten',
  'While you write': 'Beim Schreiben',
};
