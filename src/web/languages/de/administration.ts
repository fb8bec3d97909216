/** The pages for administrators in the settings. */
import type { Catalogue } from '../../model/language.ts';

export const ADMINISTRATION: Catalogue = {
  '10m, 2h or 1d; none for no deadline. Empty fields are left to the deployment.':
    '10m, 2h oder 1d; none für keine Frist. Leere Felder legt die Installation fest.',
  '95 %': '95 %',
  'a tool, a reason, an id': 'ein Werkzeug, ein Grund, eine Id',
  'Add rule': 'Regel hinzufügen',
  'Agents connected': 'Verbundene Agenten',
  'Agents, services and scripts sign in with a key. Give each its own: then the audit list says which one acted, and one can be revoked alone.':
    'Agenten, Dienste und Skripte melden sich mit einem Schlüssel an. Gib jedem einen eigenen: Dann sagt das Protokoll, welcher gehandelt hat, und einer lässt sich allein widerrufen.',
  'All rules, as JSON': 'Alle Regeln, als JSON',
  'and there are more': 'und es gibt mehr',
  'Answer requests (answer)': 'Anfragen beantworten (answer)',
  'As a table': 'Als Tabelle',
  'As the deployment says': 'Wie in der Installation festgelegt',
  'Ask first (nothing set)': 'Erst fragen (nichts gesetzt)',
  'Ask people and report what it does (agent)': 'Menschen fragen und berichten, was er tut (agent)',
  'at once': 'sofort',
  Audit: 'Protokoll',
  'Audit list': 'Protokoll',
  'By way of': 'Über',
  'Call without a request': 'Aufruf ohne Anfrage',
  Clear: 'Leeren',
  'Copy it now. It is shown only once.': 'Kopiere ihn jetzt. Er wird nur einmal gezeigt.',
  'Copy the head': 'Ende der Kette kopieren',
  'Copy the key': 'Schlüssel kopieren',
  'Each workspace has its own sessions, keys, targets, settings and audit list. Opening another one signs you in there for eight hours. The list of sessions leads back.':
    'Jeder Arbeitsbereich hat eigene Sitzungen, Schlüssel, Ziele, Einstellungen und ein eigenes Protokoll. Wenn du einen anderen öffnest, bist du dort acht Stunden angemeldet. Die Liste der Sitzungen führt zurück.',
  '{count} deliveries failed': {
    one: '{count} Zustellung fehlgeschlagen',
    other: '{count} Zustellungen fehlgeschlagen',
  },
  '{count} sessions exported': {
    one: '{count} Sitzung exportiert',
    other: '{count} Sitzungen exportiert',
  },
  'Export {count} sessions now': {
    one: '{count} Sitzung jetzt exportieren',
    other: '{count} Sitzungen jetzt exportieren',
  },
  '{count} sessions would be deleted': {
    one: '{count} Sitzung würde gelöscht',
    other: '{count} Sitzungen würden gelöscht',
  },
  'Create key': 'Schlüssel erstellen',
  'Create one for the first agent. It may ask, and nothing else.':
    'Erstelle einen für den ersten Agenten. Er darf fragen, und sonst nichts.',
  'Create workspace': 'Arbeitsbereich erstellen',
  Created: 'Erstellt',
  Credential: 'Zugang',
  'Days after the last event': 'Tage nach dem letzten Ereignis',
  Defaults: 'Vorgaben',
  'Delete old sessions': 'Alte Sitzungen löschen',
  'Delete them': 'Löschen',
  'Digest of the input': 'Prüfsumme der Eingabe',
  'Empty keeps sessions for good.': 'Leer behält Sitzungen für immer.',
  'Every decision and every change of a setting is listed here. Search for less.':
    'Hier steht jede Entscheidung und jede geänderte Einstellung. Nimm weniger Filter.',
  'Everything, also keys and settings (admin)': 'Alles, auch Schlüssel und Einstellungen (admin)',
  'exactly as listed': 'genau wie in der Liste',
  Expires: 'Läuft ab',
  'Export CSV': 'CSV exportieren',
  'Export JSON lines': 'JSON-Zeilen exportieren',
  'Failures of targets': 'Fehler der Ziele',
  'From now on, sessions are deleted {days} days after their last event: {count} of them within hours. They cannot be restored.':
    {
      one: 'Ab jetzt werden Sitzungen {days} Tage nach ihrem letzten Ereignis gelöscht: {count} davon in den nächsten Stunden. Sie lassen sich nicht wiederherstellen.',
      other:
        'Ab jetzt werden Sitzungen {days} Tage nach ihrem letzten Ereignis gelöscht: {count} davon in den nächsten Stunden. Sie lassen sich nicht wiederherstellen.',
    },
  'Counted in at most {count} sessions. Others may have agents too.': {
    one: 'In einer Sitzung gezählt. Auch andere können Agenten haben.',
    other: 'In höchstens {count} Sitzungen gezählt. Auch andere können Agenten haben.',
  },
  'From the key': 'Vom Schlüssel',
  'Give it a name': 'Gib ihm einen Namen',
  Group: 'Gruppe',
  Hash: 'Hash',
  'In {count} days': 'In {count} Tagen',
  'It may': 'Er darf',
  'Keep all sessions': 'Alle Sitzungen behalten',
  'Keep sessions with these labels': 'Sitzungen mit diesen Labels behalten',
  'Kept: {open} with an open request, {pinned} pinned, {labelled} by label, {notExported} not exported':
    'Behalten: {open} mit offener Anfrage, {pinned} angeheftet, {labelled} wegen Label, {notExported} nicht exportiert',
  Key: 'Schlüssel',
  'Key created': 'Schlüssel erstellt',
  Keys: 'Schlüssel',
  'Last used': 'Zuletzt benutzt',
  'May the one who asked also answer?': 'Darf antworten, wer gefragt hat?',
  Median: 'Median',
  'Mode of new sessions': 'Modus neuer Sitzungen',
  'More filters': 'Weitere Filter',
  'Names of labels, separated by commas': 'Namen von Labels, durch Kommas getrennt',
  Never: 'Nie',
  'No keys yet': 'Noch keine Schlüssel',
  'No, another person or credential must answer':
    'Nein, eine andere Person oder ein anderer Zugang muss antworten',
  'None: the newest deliveries arrived.': 'Keine: Die neuesten Zustellungen sind angekommen.',
  'Nothing found': 'Nichts gefunden',
  'No agent is connected.': 'Kein Agent ist verbunden.',
  'Nothing waits.': 'Nichts wartet.',
  'Nothing was answered in this time.': 'In dieser Zeit wurde nichts beantwortet.',
  Number: 'Nummer',
  'Older entries': 'Ältere Einträge',
  'Only administrators see this page. The link that you signed in with does not have that right. Ask an administrator, or sign in with an administrator’s key.':
    'Nur die Administration sieht diese Seite. Der Link, mit dem du angemeldet bist, hat dieses Recht nicht. Frag die Administration, oder melde dich mit ihrem Schlüssel an.',
  'Only sessions that an administrator has exported':
    'Nur Sitzungen, die die Administration exportiert hat',
  'Open {name}': '{name} öffnen',
  Outcome: 'Ausgang',
  Person: 'Person',
  Preview: 'Vorschau',
  'Read sessions and the inbox (read)': 'Sitzungen und Eingang lesen (read)',
  Reason: 'Grund',
  'Rename workspace': 'Arbeitsbereich umbenennen',
  'Rename {name}': '{name} umbenennen',
  Retention: 'Aufbewahrung',
  'Revoke {name}': '{name} widerrufen',
  Rights: 'Rechte',
  Rule: 'Regel',
  'Save defaults': 'Vorgaben speichern',
  Saved: 'Gespeichert',
  'Search the audit list': 'Protokoll durchsuchen',
  'Separated by commas; empty for all': 'Durch Kommas getrennt; leer für alle',
  'Sessions are kept for good.': 'Sitzungen bleiben für immer.',
  'Sessions can be deleted some days after their last event. Never deleted are sessions with an open request and sessions that anyone has pinned. The audit list keeps its entries.':
    'Sitzungen können einige Tage nach ihrem letzten Ereignis gelöscht werden. Nie gelöscht werden Sitzungen mit einer offenen Anfrage und angeheftete. Das Protokoll behält seine Einträge.',
  'Sessions that would be deleted': 'Sitzungen, die gelöscht würden',
  'Short, such as docs-team. It stays, because keys hold it.':
    'Kurz, etwa docs-team. Er bleibt, denn Schlüssel enthalten ihn.',
  Status: 'Status',
  Target: 'Ziel',
  Text: 'Text',
  'The entries are a chain of hashes. Keep its head somewhere else: “holdpoint audit verify server --head” shows with it whether entries were changed or removed.':
    'Die Einträge sind eine Kette von Hashes. Bewahre ihr Ende anderswo auf: „holdpoint audit verify server --head“ zeigt damit, ob Einträge geändert oder entfernt wurden.',
  'The first rule that fits a request counts. Without a rule, everyone may answer.':
    'Die erste Regel, die auf eine Anfrage passt, zählt. Ohne Regel dürfen alle antworten.',
  'The oldest: {time}': 'Das Älteste: {time}',
  'The program sends it as a bearer token, for example from HOLDPOINT_TOKEN.':
    'Das Programm sendet ihn als Bearer-Token, zum Beispiel aus HOLDPOINT_TOKEN.',
  'The program that uses it is signed out at once, and so are {count} tokens that were made with it.':
    {
      one: 'Das Programm, das ihn benutzt, wird sofort abgemeldet, und {count} Token, das mit ihm erstellt wurde, auch.',
      other:
        'Das Programm, das ihn benutzt, wird sofort abgemeldet, und {count} Token, die mit ihm erstellt wurden, auch.',
    },
  'The program that uses it is signed out at once.':
    'Das Programm, das ihn benutzt, wird sofort abgemeldet.',
  'there may be older ones': 'es kann ältere geben',
  'They count for every session that says nothing else, within half a minute.':
    'Sie gelten nach spätestens einer halben Minute für jede Sitzung, die nichts anderes sagt.',
  'This is no list in JSON': 'Das ist keine Liste in JSON',
  'Time to answer': 'Zeit zum Antworten',
  'Time to answer, last 24 hours': 'Zeit bis zur Antwort, letzte 24 Stunden',
  'Time to answer, last 7 days': 'Zeit bis zur Antwort, letzte 7 Tage',
  Token: 'Token',
  Tools: 'Werkzeuge',
  'Use small letters, digits and dashes, at most 40':
    'Nimm kleine Buchstaben, Ziffern und Striche, höchstens 40',
  'Waiting now': 'Wartet gerade',
  What: 'Was',
  'What people read. It can be changed.': 'Was alle lesen. Er lässt sich ändern.',
  Who: 'Wer',
  'Who will use it. It stands beside everything that the key does.':
    'Wer ihn benutzen wird. Der Name steht bei allem, was der Schlüssel tut.',
  'Whom requests are for': 'Für wen Anfragen sind',
  Workspaces: 'Arbeitsbereiche',
  'Write a number of days from 1 to 3650': 'Schreib eine Zahl von Tagen von 1 bis 3650',
  'Write a time such as 10m, 2h or 1d, or none': 'Schreib eine Zeit wie 10m, 2h oder 1d, oder none',
  'Write to agents (send)': 'Agenten schreiben (send)',
  'Yes, for a single developer alone': 'Ja, für Einzelne, die allein arbeiten',
  'You are here': 'Du bist hier',
  'Prices of models': 'Preise der Modelle',
  'A line a model: the beginning of its name, then US dollars for a million tokens in, out, read from the cache and written to it.':
    'Eine Zeile je Modell: der Anfang seines Namens, dann US-Dollar für eine Million Tokens: gelesen, geschrieben, aus dem Cache gelesen, in den Cache geschrieben.',
  'Line {line}: write a model and two to four numbers, such as claude-sonnet 3 15':
    'Zeile {line}: ein Modell und zwei bis vier Zahlen, etwa claude-sonnet 3 15',
};
