/** The frame of the chat: signing in, the sessions, the connection. */
import type { Catalogue } from '../../model/language.ts';

export const APP: Catalogue = {
  'Ask the person who gave it to you for a new one. What you wrote and did not send is kept on this device.':
    'Bitte die Person, von der er kommt, um einen neuen. Was du geschrieben und nicht gesendet hast, bleibt auf diesem Gerät.',
  'Go on as {name}': 'Weiter als {name}',
  'If you run it yourself: {command} prints one.':
    'Wenn du ihn selbst betreibst: {command} gibt einen aus.',
  'It is incomplete, or it was made for another server. Ask for a new one.':
    'Er ist unvollständig oder für einen anderen Server. Bitte um einen neuen.',
  'Or paste the link or token here': 'Oder den Link oder das Token hier einfügen',
  'Sign in as {name}?': 'Als {name} anmelden?',
  'Stay {name}': '{name} bleiben',
  'Switch to {name}': 'Zu {name} wechseln',
  'That is neither a link nor a token.': 'Das ist weder ein Link noch ein Token.',
  'The connection was lost. Trying again in {seconds} s.':
    'Die Verbindung ist abgebrochen. Neuer Versuch in {seconds} s.',
  'The connection was lost. Trying again…': 'Die Verbindung ist abgebrochen. Neuer Versuch …',
  'The server takes long to answer. Still trying.':
    'Der Server antwortet langsam. Der Versuch läuft weiter.',
  'This chat opens with a link that signs you in. Ask the person who runs this server for one.':
    'Dieser Chat öffnet sich mit einem Link, der dich anmeldet. Bitte die Person darum, die diesen Server betreibt.',
  'This link does not work': 'Dieser Link funktioniert nicht',
  'This link has expired': 'Dieser Link ist abgelaufen',
  'You are not signed in any more.': 'Du bist nicht mehr angemeldet.',
  'You are offline. What you see may be old.':
    'Du bist offline. Was du siehst, ist vielleicht veraltet.',
  'You are signed in as {from}. The link you opened signs you in as {to}; what you decide afterwards is recorded under that name.':
    'Du bist als {from} angemeldet. Der geöffnete Link meldet dich als {to} an; was du danach entscheidest, wird unter diesem Namen festgehalten.',
};
