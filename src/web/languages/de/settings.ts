/** The settings that every person has, targets, and connecting an agent. */
import type { Catalogue } from '../../model/language.ts';

export const SETTINGS: Catalogue = {
  'A line for each, with its value, for example env = production.':
    'Eine Zeile für jedes, mit seinem Wert, zum Beispiel env = production.',
  'A new secret and a new key are made. The old ones stay valid for a day, so that the receiver can change.':
    'Ein neues Geheimnis und ein neuer Schlüssel entstehen. Die alten gelten noch einen Tag, damit der Empfänger wechseln kann.',
  'A receiver that cannot sign sends it as a bearer token with its answers.':
    'Ein Empfänger, der nicht signieren kann, sendet ihn als Bearer-Token mit seinen Antworten.',
  'A test was sent.': 'Ein Test wurde gesendet.',
  'Add Holdpoint to the home screen first: Share, then “Add to Home Screen”. Open it from there.':
    'Lege Holdpoint erst auf den Home-Bildschirm: Teilen, dann „Zum Home-Bildschirm“. Öffne es von dort.',
  'Add one to be called when a request opens, instead of keeping this page open.':
    'Füge eines hinzu, um benachrichtigt zu werden, statt diese Seite offen zu halten.',
  'Add target': 'Ziel hinzufügen',
  Added: 'Hinzugefügt',
  Agents: 'Agenten',
  'All targets': 'Alle Ziele',
  'Answer it': 'Beantworten',
  'Answer key': 'Antwortschlüssel',
  'Answers as': 'Antwortet als',
  'Answers as (optional)': 'Antwortet als (optional)',
  'Answers as {audience}': 'Antwortet als {audience}',
  Appearance: 'Darstellung',
  'As the browser': 'Wie der Browser',
  'As the system': 'Wie das System',
  'Beginning of the response': 'Anfang der Antwort',
  Colors: 'Farben',
  'Connect an agent': 'Agenten verbinden',
  'Connected.': 'Verbunden.',
  'Copy answer key': 'Antwortschlüssel kopieren',
  'Copy request url': 'Anfrage-URL kopieren',
  'Copy signing secret': 'Signaturgeheimnis kopieren',
  'Copy these now. They are shown only once.': 'Kopiere sie jetzt. Sie werden nur einmal gezeigt.',
  'Copy: {label}': 'Kopieren: {label}',
  '{count} attempts, the last on {when}.': {
    one: 'Ein Versuch, am {when}.',
    other: '{count} Versuche, der letzte am {when}.',
  },
  '{count} deliveries are sent again.': {
    one: 'Eine Zustellung wird erneut gesendet.',
    other: '{count} Zustellungen werden erneut gesendet.',
  },
  Dark: 'Dunkel',
  'Delete target': 'Ziel löschen',
  Deliveries: 'Zustellungen',
  'Deliveries, newest first': 'Zustellungen, neueste zuerst',
  Edit: 'Bearbeiten',
  'Edit target': 'Ziel bearbeiten',
  Enable: 'Einschalten',
  'Enable {title}': '{title} einschalten',
  Events: 'Ereignisse',
  'For this device alone.': 'Nur für dieses Gerät.',
  Id: 'Id',
  'It asks about {tool} in the session “{session}”.':
    'Er fragt nach {tool} in der Sitzung „{session}“.',
  'It asks here before it acts, and waits until a person answers.':
    'Er fragt hier, bevor er handelt, und wartet, bis ein Mensch antwortet.',
  'It is not tried again by itself.': 'Es gibt keinen weiteren Versuch von selbst.',
  'It is sent again. The last attempt before:':
    'Sie wird erneut gesendet. Der letzte Versuch davor:',
  'It is sent what happens from now on.': 'Es erhält, was von jetzt an geschieht.',
  'It waits for an earlier one of its session.': 'Sie wartet auf eine frühere ihrer Sitzung.',
  'Its key': 'Sein Schlüssel',
  Language: 'Sprache',
  'Last used {when}': 'Zuletzt benutzt {when}',
  'Left empty, it stays as it is.': 'Leer gelassen, bleibt es, wie es ist.',
  Light: 'Hell',
  'Light by day and dark by night, if your device does so.':
    'Tags hell und nachts dunkel, wenn dein Gerät das so macht.',
  'Lower case, such as ops-channel. Requests may name the target by it.':
    'Klein geschrieben, etwa ops-channel. Anfragen können das Ziel so nennen.',
  'Mail again when a request has ended': 'Noch eine Mail, wenn eine Anfrage endet',
  'Make a key': 'Schlüssel erzeugen',
  'My devices': 'Meine Geräte',
  Name: 'Name',
  'Name (optional)': 'Name (optional)',
  'No device is notified yet.': 'Noch kein Gerät wird benachrichtigt.',
  'No targets yet': 'Noch keine Ziele',
  'Not sent yet.': 'Noch nicht gesendet.',
  'Nothing more is sent to {target}, its answers are refused, and its deliveries are erased. This cannot be undone.':
    'An {target} wird nichts mehr gesendet, seine Antworten werden abgewiesen und seine Zustellungen gelöscht. Das lässt sich nicht rückgängig machen.',
  'Nothing yet. What is sent to this target is listed here for 30 days.':
    'Noch nichts. Was an dieses Ziel geht, steht hier 30 Tage lang.',
  'Notifications of this site are blocked. Allow them in the settings of this browser, then reload.':
    'Benachrichtigungen dieser Seite sind gesperrt. Erlaube sie in den Einstellungen des Browsers und lade neu.',
  'Notify this device': 'Dieses Gerät benachrichtigen',
  'On {when}.': 'Am {when}.',
  'Only administrators make keys, and you are signed in as {name} without that right. Ask the person who runs this server for the key of an agent. On its own machine {command} keeps one in the file {file} of its data folder.':
    'Nur Administratoren erzeugen Schlüssel, und du bist als {name} ohne dieses Recht angemeldet. Bitte die Person, die diesen Server betreibt, um den Schlüssel eines Agenten. Auf dessen Rechner legt {command} einen in die Datei {file} seines Datenordners.',
  'Only requests of these kinds (optional)': 'Nur Anfragen dieser Arten (optional)',
  'Only sessions whose id begins with (optional)': 'Nur Sitzungen, deren Id so beginnt (optional)',
  'Only sessions with these labels (optional)': 'Nur Sitzungen mit diesen Labels (optional)',
  'Only these tools (optional)': 'Nur diese Werkzeuge (optional)',
  'Open session': 'Sitzung öffnen',
  Paste: 'Einfügen',
  Pause: 'Pausieren',
  'paused by an administrator': 'von einem Administrator pausiert',
  'Put it into the Slack app under “Interactivity & Shortcuts”. Without it, buttons do nothing.':
    'Trage sie in der Slack-App unter „Interactivity & Shortcuts“ ein. Ohne sie tun Knöpfe nichts.',
  'Receivers outside that are sent what opens and what is decided, and may answer. Only administrators see them.':
    'Empfänger außerhalb, die erfahren, was gefragt und entschieden wird, und antworten können. Nur Administratoren sehen sie.',
  Refresh: 'Aktualisieren',
  Remove: 'Entfernen',
  'Remove {name}': '{name} entfernen',
  'Removed.': 'Entfernt.',
  'Request URL': 'Anfrage-URL',
  'Request URL of the Slack app': 'Anfrage-URL der Slack-App',
  Retry: 'Noch einmal',
  'Rotate secret': 'Geheimnis wechseln',
  Save: 'Speichern',
  'Secret rotated': 'Geheimnis gewechselt',
  'Send a test': 'Test senden',
  'Send a test to {name}': 'Einen Test an {name} senden',
  'Send again': 'Erneut senden',
  'Send again what was made since': 'Erneut senden, was entstand seit',
  'Send all again': 'Alle erneut senden',
  'Send test': 'Test senden',
  'Separated by commas, for example Bash, Edit.': 'Mit Kommas getrennt, zum Beispiel Bash, Edit.',
  Settings: 'Einstellungen',
  'signed in until {when}': 'angemeldet bis {when}',
  'Since {when}.': 'Seit {when}.',
  'Target added': 'Ziel hinzugefügt',
  Targets: 'Ziele',
  'Targets are receivers outside, such as webhooks, that are sent what opens and what is decided. Only administrators see and change them, because a target receives requests of the whole workspace. The link that you signed in with does not have that right. Ask an administrator, or sign in with an administrator’s key.':
    'Ziele sind Empfänger außerhalb, etwa Webhooks, die erfahren, was gefragt und entschieden wird. Nur Administratoren sehen und ändern sie, weil ein Ziel Anfragen des ganzen Arbeitsbereichs erhält. Der Link, mit dem du angemeldet bist, hat dieses Recht nicht. Frag einen Administrator oder melde dich mit dem Schlüssel eines Administrators an.',
  'The key is below, and is shown only now. To revoke it: {command}':
    'Der Schlüssel steht unten und wird nur jetzt gezeigt. Zum Widerrufen: {command}',
  'The next is due on {when}.': 'Der nächste ist am {when} fällig.',
  'The page loads anew. Dates and numbers follow the language.':
    'Die Seite wird neu geladen. Daten und Zahlen folgen der Sprache.',
  'The receiver verifies deliveries with it, and signs its answers.':
    'Der Empfänger prüft damit Zustellungen und signiert seine Antworten.',
  'There is no such target. It was deleted, or the link is incomplete.':
    'Dieses Ziel gibt es nicht. Es wurde gelöscht, oder der Link ist unvollständig.',
  'They are notified when a request waits for you, also while no page is open. A device ends when you sign out on it.':
    'Sie werden benachrichtigt, wenn eine Anfrage auf dich wartet, auch ohne offene Seite. Ein Gerät endet, wenn du dich darauf abmeldest.',
  'This browser has no push notifications, or the address is not HTTPS.':
    'Dieser Browser hat keine Push-Benachrichtigungen, oder die Adresse ist nicht HTTPS.',
  'this device': 'dieses Gerät',
  Type: 'Art',
  'Waiting for its first request. It appears here by itself.':
    'Wartet auf seine erste Anfrage. Sie erscheint hier von selbst.',
  'Waiting for the receiver…': 'Wartet auf den Empfänger …',
  '{when} by {name}': '{when} von {name}',
  'Which agent?': 'Welcher Agent?',
  'With this key it asks. It cannot read what others ask, and cannot answer.':
    'Mit diesem Schlüssel fragt er. Er kann nicht lesen, was andere fragen, und nicht antworten.',
  Workspace: 'Arbeitsbereich',
  You: 'Du',
};
