/**
 * Refusals of the server: whole sentences that people meet, sentences with a value in them, and one for each code, which
 * stands for every sentence that is not here.
 */
import type { LocalErrorCode } from '../../../client/errors.ts';
import type { ErrorCode } from '../../../protocol/errors.ts';
import type { ErrorTexts } from '../../model/language.ts';

const CODES: Readonly<Record<ErrorCode | LocalErrorCode, string>> = {
  aborted: 'Das wurde abgebrochen.',
  already_extended: 'Die Frist wurde schon einmal verlängert.',
  already_settled: 'Das ist schon entschieden.',
  ambiguous_text: 'Mehrere offene Anfragen nehmen Text an. Wähle eine aus.',
  cli_session_taken: 'Dieses Gespräch der Kommandozeile gehört zu einer anderen Sitzung.',
  closed: 'Die Verbindung ist beendet. Lade die Seite neu.',
  cursor_ahead: 'Diese Seite kennt mehr, als der Server hat. Lade die Seite neu.',
  forbidden: 'Das darfst du nicht.',
  history_changed: 'Der Verlauf hat sich geändert. Lade die Seite neu.',
  history_gap: 'Im Verlauf fehlt ein Teil. Lade die Seite neu.',
  idempotency_key_reused:
    'Diese Anfrage wurde schon mit anderem Inhalt gesendet. Lade die Seite neu.',
  input_changed: 'Die Anfrage hat sich inzwischen geändert. Lies sie noch einmal, dann antworte.',
  internal: 'Auf dem Server ist etwas schiefgegangen. Versuche es noch einmal.',
  invalid_answer: 'Diese Antwort passt nicht zur Anfrage, die offen bleibt.',
  invalid_json: 'Das ist kein gültiges JSON.',
  invalid_request: 'Der Server versteht diese Angaben nicht. Prüfe sie.',
  invalid_values: 'Einige Angaben passen nicht. Sieh sie dir noch einmal an.',
  last_admin:
    'Das ist die letzte Person mit der Rolle Administrator. Gib die Rolle erst einer anderen.',
  limit_reached: 'Eine Grenze ist erreicht. Entferne erst etwas, oder warte.',
  link_expired: 'Dieser Link ist abgelaufen. Bitte um einen neuen.',
  message_repeated: 'Diese Nachricht ist schon angekommen.',
  method_not_allowed: 'Das geht hier nicht.',
  model_not_configured: 'Dieser Server hat kein Modell. Wer ihn betreibt, kann eines einrichten.',
  no_vote: 'Du hast nicht zugestimmt, also gibt es nichts zurückzuziehen.',
  not_configured:
    'Auf dem Server fehlt eine Einstellung. Wende dich an die Person, die ihn betreibt.',
  not_found: 'Das gibt es nicht, oder du darfst es nicht sehen.',
  not_holdpoint: 'Die Antwort kam nicht von Holdpoint. Prüfe die Adresse.',
  not_offered: 'Das wurde nicht angeboten.',
  not_restorable: 'Diese Zusammenfassung lässt sich nicht zurücknehmen.',
  not_undoable: 'Diese Entscheidung lässt sich nicht mehr zurücknehmen.',
  not_waiting: 'Der Durchgang wartet nicht mehr darauf.',
  nothing_to_retry: 'Hier gibt es nichts zu wiederholen.',
  person_exists: 'Diese Person ist schon im Arbeitsbereich.',
  protocol_mismatch: 'Diese Seite ist älter oder neuer als der Server. Lade sie neu.',
  rate_limited: 'Zu viel auf einmal. Warte einen Moment und versuche es noch einmal.',
  reassigned: 'Diese Anfrage gehört inzwischen zu einem anderen Aufruf des Agenten.',
  session_deleted: 'Diese Sitzung wurde gelöscht.',
  session_exists: 'Eine Sitzung mit dieser Id gibt es schon.',
  session_interrupted: 'Die Sitzung wurde vorher geleert oder angehalten.',
  step_moved: 'Es geht schon um eine andere Frage.',
  still_open: 'Das ist noch nicht entschieden.',
  text_not_an_answer: 'Dieser Text ist keine Antwort auf die Anfrage.',
  too_large: 'Das ist zu groß.',
  too_slow: 'Das Senden hat zu lange gedauert. Versuche es noch einmal.',
  tool_call_exists: 'Ein anderer Aufruf hat diese Id.',
  unauthenticated: 'Du bist nicht mehr angemeldet.',
  unavailable: 'Der Server ist gerade überlastet. Versuche es noch einmal.',
  unknown_attachment: 'Eine Datei fehlt hier. Hänge sie noch einmal an, oder entferne sie.',
  unknown_event_type: 'Ein Ereignis dieser Art schreibt nur die Sitzung selbst.',
  unknown_kind: 'Diese Art von Anfrage kennt der Server nicht.',
  unreachable: 'Der Server ist nicht erreichbar. Versuche es wieder, wenn du verbunden bist.',
  unsupported_media_type: 'Dieses Format nimmt der Server nicht an.',
  upgrade_required: 'Hier braucht es eine WebSocket-Verbindung.',
  write_failed:
    'Der Server konnte nichts speichern, und nichts ist geschehen. Versuche es noch einmal.',
  wrong_kind: 'Das passt nicht zu dieser Art von Anfrage.',
};

const MESSAGES: Readonly<Record<string, string>> = {
  'A decision can be taken back for ten minutes':
    'Eine Entscheidung lässt sich zehn Minuten lang zurücknehmen.',
  'Choose each option once.': 'Wähle jede Option nur einmal.',
  'Choose from the options.': 'Wähle aus den Optionen.',
  'Choose one of the options.': 'Wähle eine der Optionen.',
  'Choose only from the options.': 'Wähle nur aus den Optionen.',
  'Choose yes or no.': 'Wähle Ja oder Nein.',
  'No such message is waiting; the agent may have it already':
    'Diese Nachricht wartet nicht mehr; der Agent hat sie vielleicht schon.',
  'Open the link first; then reply with exactly one of opened, done, no or decline':
    'Öffne erst den Link; antworte dann mit genau einem von opened, done, no oder decline.',
  'Only a form of one text field is answered in words; open this one to answer':
    'Nur ein Formular mit einem einzigen Textfeld lässt sich mit Text beantworten; fülle dieses aus.',
  'Some fields need another look': 'Sieh dir einige Felder noch einmal an.',
  'The agent has this decision already': 'Der Agent hat diese Entscheidung schon.',
  'The approvals of others are asked for here; you may deny this':
    'Hier ist die Zustimmung anderer gefragt; ablehnen darfst du.',
  'The edited input does not fit the tool': 'Die geänderte Eingabe passt nicht zum Werkzeug.',
  'There is a workspace of this name already; use another name':
    'Einen Arbeitsbereich mit diesem Namen gibt es schon; nimm einen anderen.',
  'There is no such interaction in this session': 'Diese Anfrage gibt es in dieser Sitzung nicht.',
  'There is no such session': 'Diese Sitzung gibt es nicht.',
  'This call was asked about too many times': 'Nach diesem Aufruf wurde zu oft gefragt.',
  'This can no longer be answered; cancel it':
    'Das lässt sich nicht mehr beantworten; brich es ab.',
  'This field is required.': 'Erforderlich.',
  'This form has no such field.': 'Dieses Feld hat das Formular nicht.',
  'This input may not be edited': 'Diese Eingabe darf nicht geändert werden.',
  'This is too long to check against the pattern of the field.':
    'Das ist zu lang, um es mit dem Muster des Feldes zu vergleichen.',
  'This session has too many rules; revoke one first':
    'Diese Sitzung hat zu viele Regeln; widerrufe erst eine.',
  'This session has no room for more files. Those that no message names are deleted after a day; go on in a new session, or link to the file':
    'Diese Sitzung hat keinen Platz für weitere Dateien. Solche, die keine Nachricht nennt, werden nach einem Tag gelöscht; mach in einer neuen Sitzung weiter, oder verlinke die Datei.',
  'This workspace has too many keys; revoke one first':
    'Dieser Arbeitsbereich hat zu viele Schlüssel; widerrufe erst einen.',
  'This workspace has too many people': 'Dieser Arbeitsbereich hat zu viele Personen.',
  'This workspace has too many rules; revoke one first':
    'Dieser Arbeitsbereich hat zu viele Regeln; widerrufe erst eine.',
  'This workspace has too many targets; delete one first':
    'Dieser Arbeitsbereich hat zu viele Ziele; lösche erst eines.',
  'Who asked may not decide this request; another person must':
    'Wer gefragt hat, darf das nicht entscheiden; eine andere Person muss es tun.',
  'Work went on after this decision': 'Nach dieser Entscheidung ging die Arbeit schon weiter.',
  'Write a complete address, like https://example.com.':
    'Schreib eine vollständige Adresse wie https://example.com.',
  'Write a date and time with a zone, like 2026-01-31T09:30:00Z.':
    'Schreib Datum und Uhrzeit mit Zeitzone wie 2026-01-31T09:30:00Z.',
  'Write a date as YYYY-MM-DD.': 'Schreib das Datum als JJJJ-MM-TT.',
  'Write a number.': 'Schreib eine Zahl.',
  'Write a whole number.': 'Schreib eine ganze Zahl.',
  'Write an email address, like name@example.com.':
    'Schreib eine E-Mail-Adresse wie name@example.com.',
  'Write text.': 'Schreib Text.',
  'Write what should change in the plan': 'Schreib, was am Plan anders werden soll.',
};

const PATTERNS: ErrorTexts['patterns'] = [
  [
    /^This request is for (.+); one of them or an administrator may answer it$/,
    'Diese Anfrage ist für $1; eine dieser Personen oder ein Administrator darf sie beantworten.',
  ],
  [/^Choose at least (\d+) options?\.$/, 'Wähle mindestens $1.'],
  [/^Choose at most (\d+) options?\.$/, 'Wähle höchstens $1.'],
  [/^(?:Use|Write) a number (?:above|greater than) (\S+)\.$/, 'Schreib eine Zahl über $1.'],
  [/^(?:Use|Write) a number (?:below|less than) (\S+)\.$/, 'Schreib eine Zahl unter $1.'],
  [/^(?:Use|Write) a number of at least (\S+)\.$/, 'Schreib eine Zahl ab $1.'],
  [/^(?:Use|Write) a number of at most (\S+)\.$/, 'Schreib eine Zahl bis $1.'],
  [/^Use a multiple of (\S+)\.$/, 'Nimm ein Vielfaches von $1.'],
  [/^Use one of (.+)\.$/, 'Nimm eines von $1.'],
  [/^Use the format (.+) or (.+)\.$/, 'Schreib es wie $1 oder $2.'],
  [/^Use the format of this pattern: (.+)$/, 'Schreib es nach diesem Muster: $1'],
  [/^Use the format (.+)\.$/, 'Schreib es wie $1.'],
  [/^Use this format: (.+)$/, 'Schreib es so: $1'],
  [/^Write at least (\d+) characters?\.$/, 'Schreib mindestens $1 Zeichen.'],
  [/^Write at most (\d+) characters?\.$/, 'Schreib höchstens $1 Zeichen.'],
];

export const GERMAN_ERRORS: ErrorTexts = { codes: CODES, messages: MESSAGES, patterns: PATTERNS };
