/** What the model says: states, sizes, modes, and whom a text reaches. */
import type { Catalogue } from '../../model/language.ts';

export const MODEL: Catalogue = {
  'A careless idea. Deny it and say why.': 'Eine leichtsinnige Idee. Lehne sie ab und sag, warum.',
  'a rule of {name}': 'eine Regel von {name}',
  'Adjust it first, then approve it.': 'Passe ihn erst an, dann genehmige ihn.',
  Allowed: 'Erlaubt',
  'Answer questions': 'Fragen beantworten',
  'Approve a file': 'Eine Datei genehmigen',
  Approved: 'Genehmigt',
  'Approved, waiting to be picked up': 'Genehmigt, wartet auf Abholung',
  'Ask first': 'Erst fragen',
  'Asked by a command in this call': 'Von einem Befehl in diesem Aufruf gefragt',
  'Asked by a command, probably in this call':
    'Von einem Befehl gefragt, vermutlich in diesem Aufruf',
  'Auto-accept edits': 'Änderungen automatisch',
  'Be asked first': 'Erst gefragt werden',
  'Bypass approvals': 'Ohne Genehmigungen',
  Cancelled: 'Abgebrochen',
  'Correct its work': 'Seine Arbeit verbessern',
  Deleted: 'Gelöscht',
  Denied: 'Abgelehnt',
  Done: 'Fertig',
  'Ended without a result': 'Ohne Ergebnis beendet',
  Escalated: 'Weitergereicht',
  'Escalated to {names}': 'Weitergereicht an {names}',
  'Every tool waits for your approval, unless you allowed it for this session.':
    'Jedes Werkzeug wartet auf deine Genehmigung, wenn du es nicht für diese Sitzung erlaubt hast.',
  Expired: 'Abgelaufen',
  Failed: 'Fehlgeschlagen',
  'group {name}': 'Gruppe {name}',
  'Handed to the agent': 'Dem Agenten übergeben',
  'Help me plan a weekend away. Ask me what you need to know first.':
    'Hilf mir, ein Wochenende unterwegs zu planen. Frag mich zuerst, was du wissen musst.',
  Idle: 'Bereit',
  'It asks what you like before it begins.': 'Er fragt nach deinen Wünschen, bevor er anfängt.',
  'It proposes, you adjust, then it works.': 'Er schlägt vor, du passt an, dann arbeitet er.',
  'It works on a file that is not there.': 'Er arbeitet an einer Datei, die es nicht gibt.',
  'It writes a file, if you let it.': 'Er schreibt eine Datei, wenn du ihn lässt.',
  'No tool waits for you; only questions do. An administrator has to switch this on.':
    'Kein Werkzeug wartet auf dich, nur Fragen. Ein Administrator muss das einschalten.',
  'Not allowed': 'Nicht erlaubt',
  'Plan a small reading group: how often, how long, what to read. Show me the plan before you write anything.':
    'Plane einen kleinen Lesekreis: wie oft, wie lange, was wir lesen. Zeig mir den Plan, bevor du etwas schreibst.',
  'Plan mode': 'Planmodus',
  'Reading and editing files goes through. Everything else waits for your approval.':
    'Dateien lesen und ändern geht durch. Alles andere wartet auf deine Genehmigung.',
  'Refuse something': 'Etwas ablehnen',
  Reminded: 'Erinnert',
  'Review a plan': 'Einen Plan prüfen',
  Running: 'Läuft',
  'See it fail': 'Es scheitern sehen',
  'Session {id}': 'Sitzung {id}',
  'Something went wrong here. Try again.':
    'Hier ist etwas schiefgegangen. Versuche es noch einmal.',
  'Stop a long answer': 'Eine lange Antwort anhalten',
  Stopped: 'Angehalten',
  'target {name}': 'Ziel {name}',
  'The agent may read and write a plan. It changes nothing until you approve the plan.':
    'Der Agent darf lesen und einen Plan schreiben. Er ändert nichts, bis du den Plan genehmigst.',
  'The agent writes a file, if you let it.': 'Der Agent schreibt eine Datei, wenn du ihn lässt.',
  'The form': 'Das Formular',
  'The model is busy. Trying again': 'Das Modell ist beschäftigt. Neuer Versuch',
  'The plan': 'Der Plan',
  'The server cannot be reached. Try again when you are connected.':
    'Der Server ist nicht erreichbar. Versuche es wieder, wenn du verbunden bist.',
  'The session was deleted': 'Die Sitzung wurde gelöscht',
  'The turn failed': 'Der Durchgang ist fehlgeschlagen',
  'There is a mistake in it: edit before you approve.':
    'Ein Fehler steckt darin: ändere ihn, bevor du genehmigst.',
  'this exact input': 'genau diese Eingabe',
  'This request is for {audience}. You can read it.':
    'Diese Anfrage ist für {audience}. Du kannst sie lesen.',
  'Too much at once. Wait a moment and try again.':
    'Zu viel auf einmal. Warte einen Moment und versuche es noch einmal.',
  'Trying again': 'Neuer Versuch',
  'Two questions; one takes several answers.': 'Zwei Fragen; eine nimmt mehrere Antworten.',
  'Two things at once': 'Zwei Dinge zugleich',
  'Two tools ask at the same time. Decide in any order.':
    'Zwei Werkzeuge fragen gleichzeitig. Entscheide in beliebiger Reihenfolge.',
  'Waiting for you': 'Wartet auf dich',
  'Watch it arrive piece by piece, and interrupt it.':
    'Sieh sie Stück für Stück kommen und unterbrich sie.',
  Working: 'Arbeitet',
  'Write a short packing list for two days of rain into packing.md.':
    'Schreib eine kurze Packliste für zwei Regentage in packing.md.',
  'Write an answer': 'Schreib eine Antwort',
  'Write feedback': 'Schreib eine Rückmeldung',
  'Write your answer': 'Schreib deine Antwort',
  'You may not do this with the link you signed in with.':
    'Das darfst du mit dem Link nicht, mit dem du angemeldet bist.',
  'your rule': 'deine Regel',
  '{count} bytes': { one: '1 Byte', other: '{count} Bytes' },
  '{count} allowed by a rule': '{count} durch eine Regel erlaubt',
  '{count} failed': '{count} fehlgeschlagen',
  '{count} lines': '{count} Zeilen',
  '{count} more': '{count} weitere',
  '{count} running': '{count} laufen',
  '{count} tool calls': '{count} Werkzeugaufrufe',
  '{decision} by a rule that was revoked since':
    '{decision} durch eine inzwischen widerrufene Regel',
  '{decision} by the mode “{mode}”': '{decision} durch den Modus „{mode}“',
  '{decision} by {rule} for {input}': '{decision} durch {rule} für {input}',
  '{size} KB': '{size} KB',
  '{size} MB': '{size} MB',
  '{who} allowed {tool} for this session': '{who} hat {tool} für diese Sitzung erlaubt',
  '{who} cleared the context: the agent starts over':
    '{who} hat den Kontext gelöscht: Der Agent beginnt von vorn',
  '{who} revoked a rule of this session': '{who} hat eine Regel dieser Sitzung widerrufen',
  '{who} set the mode to “{mode}”': '{who} hat den Modus „{mode}“ gewählt',
};
