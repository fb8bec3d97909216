/** The field for messages. */
import type { Catalogue } from '../../model/language.ts';

export const COMPOSER: Catalogue = {
  'Answer to': 'Antwort auf',
  'Answering “{request}”': 'Antwort auf „{request}“',
  'Answers “{request}” if it accepts text; otherwise queued':
    'Beantwortet „{request}“, wenn Text möglich ist; sonst in die Warteschlange',
  'Cancels every open request': 'Bricht jede offene Anfrage ab',
  'Clears the context: the agent forgets this conversation':
    'Löscht den Kontext: Der Agent vergisst dieses Gespräch',
  'Look at the questions first, then send it again.':
    'Sieh dir erst die Fragen an und sende dann noch einmal.',
  Message: 'Nachricht',
  Queued: 'In der Warteschlange',
  'Queued messages': 'Wartende Nachrichten',
  'Queued until the agent is done': 'Wartet, bis der Agent fertig ist',
  'Queued until you decide above. It approves nothing.':
    'Wartet, bis du oben entscheidest. Genehmigt nichts.',
  'Remove: {text}': 'Entfernen: {text}',
  'Select a request…': 'Anfrage wählen …',
  'Sends feedback on the plan': 'Sendet eine Rückmeldung zum Plan',
  'Still sending…': 'Wird noch gesendet …',
  Stop: 'Anhalten',
  'Stop the agent': 'Den Agenten anhalten',
  'This answers “{request}” now. Send it again if it should.':
    'Das beantwortet jetzt „{request}“. Sende es noch einmal, wenn es das soll.',
  'This can’t be answered right now. Your text is kept.':
    'Das lässt sich gerade nicht beantworten. Dein Text bleibt erhalten.',
  'This goes to the agent now. Send it again if it should.':
    'Das geht jetzt an den Agenten. Sende es noch einmal, wenn es das soll.',
  'To the agent': 'An den Agenten',
  'View only: you can’t send messages here.':
    'Nur ansehen: Du kannst hier keine Nachrichten senden.',
  '{count} queued': '{count} in der Warteschlange',
};
