/** The frame of the chat: signing in, the sessions, the connection. */
import type { Catalogue } from '../../model/language.ts';

export const APP: Catalogue = {
  'Accept the invitation': 'Einladung annehmen',
  'Ask the person who gave it to you for a new one. What you wrote and did not send is kept on this device.':
    'Bitte die Person, von der er kommt, um einen neuen. Was du geschrieben und nicht gesendet hast, bleibt auf diesem Gerät.',
  'Choose a session from the list. Your link does not let you begin one.':
    'Wähle eine Sitzung aus der Liste. Dein Link erlaubt nicht, eine zu beginnen.',
  'Demo mode: a scripted agent, no model connected. Try every kind of request without a key.':
    'Demo: ein Agent nach Drehbuch, ohne Modell. Probiere jede Art von Anfrage ohne Schlüssel aus.',
  'First message': 'Erste Nachricht',
  'Go on as {name}': 'Weiter als {name}',
  'If you run it yourself: {command} prints one.':
    'Wenn du ihn selbst betreibst: {command} gibt einen aus.',
  'It asks before it acts. You answer here, on any device, whenever you come back.':
    'Er fragt, bevor er handelt. Du antwortest hier, auf jedem Gerät, wann immer du zurückkommst.',
  'It is incomplete, or it was made for another server. Ask for a new one.':
    'Er ist unvollständig oder für einen anderen Server. Bitte um einen neuen.',
  Main: 'Hauptmenü',
  New: 'Neu',
  'New session': 'Neue Sitzung',
  'Or begin with one of these': 'Oder beginne mit einem davon',
  'Or paste the link or token here': 'Oder den Link oder das Token hier einfügen',
  'Scenarios to try': 'Szenarien zum Ausprobieren',
  'Sign in as {name}?': 'Als {name} anmelden?',
  'Sign in to see what waits for you.': 'Melde dich an, um zu sehen, was auf dich wartet.',
  'Sign in with {name}': 'Mit {name} anmelden',
  'Skip to the conversation': 'Zum Gespräch springen',
  'Skip to the page': 'Zur Seite springen',
  'Stay {name}': '{name} bleiben',
  'Switch to {name}': 'Zu {name} wechseln',
  'That is neither a link nor a token.': 'Das ist weder ein Link noch ein Token.',
  'The connection was lost. Trying again in {seconds} s.':
    'Die Verbindung ist abgebrochen. Neuer Versuch in {seconds} s.',
  'The connection was lost. Trying again…': 'Die Verbindung ist abgebrochen. Neuer Versuch …',
  'The invitation lets you in once. What you decide is recorded under your name.':
    'Die Einladung gilt einmal. Was du entscheidest, wird unter deinem Namen festgehalten.',
  'The server could not be asked to sign you out.':
    'Der Server konnte nicht gebeten werden, dich abzumelden.',
  'The server takes long to answer. Still trying.':
    'Der Server antwortet langsam. Der Versuch läuft weiter.',
  'This chat opens with a link that signs you in. Ask the person who runs this server for one.':
    'Dieser Chat öffnet sich mit einem Link, der dich anmeldet. Bitte die Person darum, die diesen Server betreibt.',
  'This link does not work': 'Dieser Link funktioniert nicht',
  'This link has expired': 'Dieser Link ist abgelaufen',
  'This server has no agent of its own. Sessions that agents elsewhere begin appear in the list, and what they ask waits in the inbox.':
    'Dieser Server hat keinen eigenen Agenten. Sitzungen, die Agenten anderswo beginnen, erscheinen in der Liste, und was sie fragen, wartet im Eingang.',
  'What should the agent do?': 'Was soll der Agent tun?',
  'You are invited': 'Du bist eingeladen',
  'You are not signed in any more.': 'Du bist nicht mehr angemeldet.',
  'You are offline. What you see may be old.':
    'Du bist offline. Was du siehst, ist vielleicht veraltet.',
  'You are signed in as {from}. The link you opened signs you in as {to}; what you decide afterwards is recorded under that name.':
    'Du bist als {from} angemeldet. Der geöffnete Link meldet dich als {to} an; was du danach entscheidest, wird unter diesem Namen festgehalten.',
  'You are signed out': 'Du bist abgemeldet',
  'You are still signed in': 'Du bist noch angemeldet',
  'Your sign-in has ended. What you wrote and did not send is kept on this device.':
    'Deine Anmeldung ist beendet. Was du geschrieben und nicht gesendet hast, bleibt auf diesem Gerät.',
};
