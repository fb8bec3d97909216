/** What the model says: states, sizes, modes, and whom a text reaches. */
import type { Catalogue } from '../../model/language.ts';

export const MODEL: Catalogue = {
  'A careless idea. Deny it and say why.': 'Eine leichtsinnige Idee. Lehne sie ab und sag, warum.',
  'A line for each: the id of the user in Slack, = and the name in which that person decides. Other people decide as slack:TEAM/USER.':
    'Eine Zeile für jede Person: ihre Id in Slack, = und der Name, unter dem sie entscheidet. Andere entscheiden als slack:TEAM/USER.',
  Active: 'Aktiv',
  'Address of the API of Slack (optional)': 'Adresse der API von Slack (optional)',
  'Address of the mail provider (optional)': 'Adresse des Mail-Anbieters (optional)',
  'Adjust it first, then approve it.': 'Passe ihn erst an, dann genehmige ihn.',
  Allowed: 'Erlaubt',
  'Answer questions': 'Fragen beantworten',
  'Anything that runs a shell: a script, a pipeline, an agent.':
    'Alles, was eine Shell ausführt: ein Skript, eine Pipeline, ein Agent.',
  Approvals: 'Genehmigungen',
  'Approve a file': 'Eine Datei genehmigen',
  Approved: 'Genehmigt',
  'Approved, waiting to be picked up': 'Genehmigt, wartet auf Abholung',
  'Ask first': 'Erst fragen',
  'Asked by a command in this call': 'Von einem Befehl in diesem Aufruf gefragt',
  'Asked by a command, probably in this call':
    'Von einem Befehl gefragt, vermutlich in diesem Aufruf',
  'Authorization of the mail provider (optional)': 'Berechtigung beim Mail-Anbieter (optional)',
  'Auto-accept edits': 'Änderungen automatisch annehmen',
  'Be asked first': 'Erst gefragt werden',
  'Bot token': 'Bot-Token',
  'Bypass approvals': 'Ohne Genehmigungen',
  Cancelled: 'Abgebrochen',
  Channel: 'Kanal',
  'Command line': 'Kommandozeile',
  'Correct its work': 'Etwas korrigieren',
  '{count} allowed by a rule': '{count} durch eine Regel erlaubt',
  '{count} bytes': { one: '1 Byte', other: '{count} Bytes' },
  '{count} failed': '{count} fehlgeschlagen',
  '{count} kinds of event': '{count} Arten von Ereignissen',
  '{count} lines': { one: '1 Zeile', other: '{count} Zeilen' },
  '{count} more': '{count} weitere',
  '{count} running': { one: '1 läuft', other: '{count} laufen' },
  '{count} tool calls': '{count} Werkzeugaufrufe',
  '{decision} by a rule that was revoked since':
    '{decision} durch eine inzwischen widerrufene Regel',
  '{decision} by the mode “{mode}”': '{decision} durch den Modus „{mode}“',
  Deleted: 'Gelöscht',
  Delivered: 'Zugestellt',
  Denied: 'Abgelehnt',
  Device: 'Gerät',
  Disabled: 'Abgeschaltet',
  'Disabled after three days of failures. New events are not sent, and not kept for later.':
    'Nach drei Tagen voller Fehler abgeschaltet. Neue Ereignisse werden nicht gesendet und nicht aufgehoben.',
  Done: 'Fertig',
  'Ended without a result': 'Ohne Ergebnis beendet',
  'Handed over to others': 'An andere übergeben',
  Escalated: 'Weitergereicht',
  'Escalated to {names}': 'Weitergereicht an {names}',
  'Every tool waits for your approval, unless you allowed it for this session.':
    'Jedes Werkzeug wartet auf deine Genehmigung, wenn du es nicht für diese Sitzung erlaubt hast.',
  'Every tool, question and plan of query() asks here.':
    'Jedes Werkzeug, jede Frage und jeder Plan von query() fragt hier.',
  Expired: 'Abgelaufen',
  Failing: 'Schlägt fehl',
  'Failing since {when}.': 'Schlägt fehl seit {when}.',
  'Failing since {when}: {reason}': 'Schlägt fehl seit {when}: {reason}',
  Failed: 'Fehlgeschlagen',
  'For example “Bearer …”. With another address of the provider, write it again.':
    'Zum Beispiel „Bearer …“. Schreibe sie neu, wenn der Anbieter eine andere Adresse bekommt.',
  'For tests alone, and only where private targets are allowed.':
    'Nur für Tests und nur, wo private Ziele erlaubt sind.',
  Forms: 'Formulare',
  From: 'Von',
  'group {name}': 'Gruppe {name}',
  'Handed to the agent': 'Dem Agenten übergeben',
  'Header of the authorization (optional)': 'Kopfzeile der Berechtigung (optional)',
  'Help me plan a weekend away. Ask me what you need to know first.':
    'Hilf mir, ein Wochenende unterwegs zu planen. Frag mich zuerst, was du wissen musst.',
  'HTTPS with a public host name. Requests are posted there, signed.':
    'HTTPS mit einem öffentlichen Namen. Anfragen werden signiert dorthin gesendet.',
  'HTTPS; each mail is posted there as JSON. Empty: the mail binding of the deployment.':
    'HTTPS; jede Mail geht als JSON dorthin. Leer: die Mail-Anbindung des Servers.',
  Idle: 'Bereit',
  'in sessions that begin with {start}': 'in Sitzungen, die mit {start} beginnen',
  'In the Slack app under “Basic Information”.': 'In der Slack-App unter „Basic Information“.',
  'In the Slack app under “OAuth & Permissions”. It begins with xoxb-.':
    'In der Slack-App unter „OAuth & Permissions“. Es beginnt mit xoxb-.',
  'In a clone of Holdpoint. It prints the line that installs the package':
    'In einem Klon von Holdpoint. Es gibt die Zeile aus, die das Paket installiert',
  'In a terminal, in a clone of Holdpoint': 'In einem Terminal, in einem Klon von Holdpoint',
  'In the folder of the agent': 'Im Ordner des Agenten',
  'In the terminal of the agent': 'Im Terminal des Agenten',
  'It asks what you like before it begins.': 'Er fragt nach deinen Wünschen, bevor er anfängt.',
  'It proposes, you adjust, then it works.': 'Er schlägt vor, du passt an, dann arbeitet er.',
  'It works on a file that is not there.': 'Er arbeitet an einer Datei, die es nicht gibt.',
  'It writes a file, if you let it.': 'Er schreibt eine Datei, wenn du ihn lässt.',
  'Its id, at the end of the details of the channel. Invite the app to it.':
    'Seine Id, am Ende der Details des Kanals. Lade die App dorthin ein.',
  'Its model gets tools to ask you: ask_human and approve.':
    'Sein Modell bekommt Werkzeuge, dich zu fragen: ask_human und approve.',
  'JSON for the mail provider (optional)': 'JSON für den Mail-Anbieter (optional)',
  'Line {line}: write a name, = and a value':
    'Zeile {line}: schreibe einen Namen, = und einen Wert',
  'Line {line}: {key} stands twice': 'Zeile {line}: {key} steht zweimal da',
  Links: 'Links',
  Mail: 'Mail',
  'MCP client': 'MCP-Client',
  '.mcp.json, or the settings of the client': '.mcp.json oder die Einstellungen des Clients',
  'No tool waits for you; only questions do. An administrator has to switch this on.':
    'Kein Werkzeug wartet auf dich, nur Fragen. Ein Administrator muss das einschalten.',
  'Not allowed': 'Nicht erlaubt',
  'of {tools}': 'von {tools}',
  'One address, or several with commas between them.':
    'Eine Adresse, oder mehrere mit Kommas dazwischen.',
  'Only {filter}': 'Nur {filter}',
  Paused: 'Pausiert',
  Held: 'Angehalten',
  'The credential that made this target was revoked. It receives and answers nothing until you enable it.':
    'Der Zugang, der dieses Ziel angelegt hat, wurde widerrufen. Es empfängt und beantwortet nichts, bis du es einschaltest.',
  'Paused by an administrator. New events are not sent, and not kept for later.':
    'Von einem Administrator pausiert. Neue Ereignisse werden nicht gesendet und nicht aufgehoben.',
  Pending: 'Ausstehend',
  'People (optional)': 'Personen (optional)',
  'Plain HTTP, from any language.': 'Einfaches HTTP, aus jeder Sprache.',
  'Plan a small reading group: how often, how long, what to read. Show me the plan before you write anything.':
    'Plane einen kleinen Lesekreis: wie oft, wie lange, was wir lesen. Zeig mir den Plan, bevor du etwas schreibst.',
  'Plan mode': 'Planmodus',
  Plans: 'Pläne',
  Questions: 'Fragen',
  'Reading and editing files goes through. Everything else waits for your approval.':
    'Dateien lesen und ändern geht durch. Alles andere wartet auf deine Genehmigung.',
  'Refuse something': 'Etwas ablehnen',
  Reminded: 'Erinnert',
  Reminder: 'Erinnerung',
  'Request changed': 'Anfrage geändert',
  'Request decided': 'Anfrage entschieden',
  'Request opened': 'Anfrage gestellt',
  'Response {status}': 'Antwort {status}',
  Retrying: 'Neuer Versuch',
  'Review a plan': 'Einen Plan prüfen',
  Running: 'Läuft',
  'See it fail': 'Einen Fehler ansehen',
  'Session created': 'Sitzung begonnen',
  'Session deleted': 'Sitzung gelöscht',
  'Session {id}': 'Sitzung {id}',
  '{size} KB': '{size} KB',
  '{size} MB': '{size} MB',
  Slack: 'Slack',
  'Slack: a channel': 'Slack: ein Kanal',
  'Something went wrong here. Try again.':
    'Hier ist etwas schiefgegangen. Versuche es noch einmal.',
  'Stop a long answer': 'Eine lange Antwort anhalten',
  Stopped: 'Angehalten',
  'target {name}': 'Ziel {name}',
  Test: 'Test',
  'The agent may read and write a plan. It changes nothing until you approve the plan.':
    'Der Agent darf lesen und einen Plan schreiben. Er ändert nichts, bis du den Plan genehmigst.',
  'The agent writes a file, if you let it.': 'Der Agent schreibt eine Datei, wenn du ihn lässt.',
  'The answer in the response was refused: {answer}.':
    'Die Antwort des Empfängers wurde abgewiesen: {answer}.',
  'The form': 'Das Formular',
  'The model is busy. Trying again': 'Das Modell ist beschäftigt. Neuer Versuch',
  'The name in which the link of a mail decides. Without a name, the link only opens the chat.':
    'Der Name, unter dem der Link einer Mail entscheidet. Ohne Namen öffnet er nur den Chat.',
  'The name that is shown when this receiver decides a request.':
    'Der Name, der erscheint, wenn dieser Empfänger eine Anfrage entscheidet.',
  'The person or team that this channel stands for: requests for them are posted here. People of Slack decide in their own names.':
    'Die Person oder das Team, für das dieser Kanal steht: Anfragen an sie erscheinen hier. Personen in Slack entscheiden im eigenen Namen.',
  'The plan': 'Der Plan',
  'The response answered the request.': 'Der Empfänger hat die Anfrage beantwortet.',
  'The server cannot be reached. Try again when you are connected.':
    'Der Server ist nicht erreichbar. Versuche es wieder, wenn du verbunden bist.',
  'The session was deleted': 'Die Sitzung wurde gelöscht',
  'The turn failed': 'Der Durchgang ist fehlgeschlagen',
  'There is a mistake in it: edit before you approve.':
    'Ein Fehler steckt darin: ändere ihn, bevor du genehmigst.',
  'This request is for {audience}. You can read it.':
    'Diese Anfrage ist für {audience}. Du kannst sie lesen.',
  'Too much at once. Wait a moment and try again.':
    'Zu viel auf einmal. Warte einen Moment und versuche es noch einmal.',
  'Trying again': 'Neuer Versuch',
  'Turn ended': 'Durchgang beendet',
  'Two questions; one takes several answers.': 'Zwei Fragen; eine nimmt mehrere Antworten.',
  'Two things at once': 'Zwei Dinge zugleich',
  'Two tools ask at the same time. Decide in any order.':
    'Zwei Werkzeuge fragen gleichzeitig. Entscheide in beliebiger Reihenfolge.',
  'Waiting for you': 'Wartet auf dich',
  'Watch it arrive piece by piece, and interrupt it.':
    'Sieh sie Stück für Stück kommen und unterbrich sie.',
  Webhook: 'Webhook',
  'Webhook: a program of yours': 'Webhook: ein Programm von dir',
  'What it would ask in its terminal, it asks here.':
    'Was er in seinem Terminal fragen würde, fragt er hier.',
  'What the provider takes, as one object. {from}, {to}, {toList}, {subject}, {text}, {html}, {headers} and {id} are filled in.':
    'Was der Anbieter nimmt, als ein Objekt. {from}, {to}, {toList}, {subject}, {text}, {html}, {headers} und {id} werden ausgefüllt.',
  'Where the provider takes another one than Authorization. With another header, write the authorization again.':
    'Wo der Anbieter eine andere als Authorization nimmt. Schreibe die Berechtigung bei einer anderen Kopfzeile neu.',
  '{who} allowed {tool} for this session': '{who} hat {tool} für diese Sitzung erlaubt',
  '{who} cleared the context: the agent starts over':
    '{who} hat den Kontext gelöscht: Der Agent beginnt von vorn',
  '{who} revoked a rule of this session': '{who} hat eine Regel dieser Sitzung widerrufen',
  '{who} set the mode to “{mode}”': '{who} hat den Modus „{mode}“ gewählt',
  'with {labels}': 'mit {labels}',
  '{words} of {person}': '{words} von {person}',
  Working: 'Arbeitet',
  'Write a JSON object, such as {"to": "{to}"}': 'Schreibe ein JSON-Objekt, etwa {"to": "{to}"}',
  'Write a short packing list for two days of rain into packing.md.':
    'Schreib eine kurze Packliste für zwei Regentage in packing.md.',
  'Write an answer': 'Schreib eine Antwort',
  'Write feedback': 'Schreib eine Rückmeldung',
  'Write it again for the other header': 'Schreibe sie für die andere Kopfzeile neu',
  'Write your answer': 'Schreib deine Antwort',
  'You may not do this with the link you signed in with.':
    'Das darfst du mit dem Link nicht, mit dem du angemeldet bist.',
  'Your own program, in Node, a Worker or anything with fetch.':
    'Dein eigenes Programm, in Node, einem Worker oder allem mit fetch.',
};
