/** People, groups, sign-ins and tokens in the settings. */
import type { Catalogue } from '../../model/language.ts';

export const PEOPLE: Catalogue = {
  'A request may be for a group: one of its people answers.':
    'Eine Anfrage kann für eine Gruppe sein: Eine ihrer Personen antwortet.',
  Administrator: 'Administrator',
  'Administrator: also people, keys and settings':
    'Administrator: verwaltet auch Personen, Schlüssel und Einstellungen',
  'All of it ends at once, and open pages close. Decisions stay in the audit list under the name.':
    'Alles davon endet sofort, offene Seiten werden geschlossen. Entscheidungen bleiben unter dem Namen im Protokoll.',
  Answerer: 'Antworten',
  'Answerer: also decides, and writes to agents':
    'Antworten: entscheidet auch und schreibt Agenten',
  'Become administrator': 'Administrator werden',
  Browsers: 'Browser',
  'Browsers in which you are signed in, and tokens that act in your name. End what you do not know.':
    'Browser, in denen du angemeldet bist, und Tokens, die in deinem Namen handeln. Beende, was du nicht kennst.',
  Change: 'Ändern',
  'Change {name}': '{name} ändern',
  '{count} people': { one: '{count} Person', other: '{count} Personen' },
  Delete: 'Löschen',
  'Delete {name}': '{name} löschen',
  'Devices and tokens': 'Geräte und Tokens',
  'Devices with notifications: {count}': 'Geräte mit Benachrichtigungen: {count}',
  'Email address': 'E-Mail-Adresse',
  '{email} can sign in now, at this address:':
    '{email} kann sich jetzt anmelden, unter dieser Adresse:',
  'Everybody else': 'Alle anderen',
  'Give this link to {email}. It signs one person in once, within a week, and is shown only now.':
    'Gib diesen Link an {email}. Er meldet innerhalb einer Woche einmal eine Person an und wird nur jetzt gezeigt.',
  'good until {time}': 'gültig bis {time}',
  Groups: 'Gruppen',
  'Invitation link': 'Einladungslink',
  Invite: 'Einladen',
  'Invite a person': 'Person einladen',
  'Invite again': 'Erneut einladen',
  'Invite the people who decide here. Until then, links sign people in.':
    'Lade die Personen ein, die hier entscheiden. Bis dahin melden Links sie an.',
  'Invite {name} again': '{name} erneut einladen',
  Invited: 'Eingeladen',
  'last seen {time}': 'zuletzt gesehen {time}',
  'last used {time}': 'zuletzt benutzt {time}',
  'Lower case, such as release-managers.': 'Klein geschrieben, zum Beispiel release-managers.',
  'made {time}': 'erstellt {time}',
  Members: 'Mitglieder',
  'New group': 'Neue Gruppe',
  'No browser is signed in with a login, and there is no token in your name.':
    'Kein Browser ist mit einem Login angemeldet, und es gibt kein Token auf deinen Namen.',
  'Nobody is in the directory yet': 'Noch steht niemand im Verzeichnis',
  'Only administrators see and change who is in this workspace.':
    'Nur Administratoren sehen und ändern, wer in diesem Arbeitsbereich ist.',
  'Open requests for this group alone are then left to administrators.':
    'Offene Anfragen nur für diese Gruppe bleiben dann den Administratoren.',
  People: 'Personen',
  'Remove {name}?': '{name} entfernen?',
  'Removed people': 'Entfernte Personen',
  'Revoke the token for {name}': 'Token für {name} widerrufen',
  Role: 'Rolle',
  'Sign out': 'Abmelden',
  'Sign out everywhere else': 'Überall sonst abmelden',
  'Sign out {name}': '{name} abmelden',
  'Signed in': 'Angemeldet',
  'signed in until {time}': 'angemeldet bis {time}',
  'Signed-in browsers: {count}': 'Angemeldete Browser: {count}',
  'This browser': 'Dieser Browser',
  Tokens: 'Tokens',
  'Tokens: {count}': 'Tokens: {count}',
  'Use an address like ana@example.com': 'Gib eine Adresse wie ana@example.com an',
  Viewer: 'Lesen',
  'Viewer: sees sessions and requests': 'Lesen: sieht Sitzungen und Anfragen',
  'Who may sign in, and what each may do. A person who is removed loses all access at once.':
    'Wer sich anmelden darf und was jede Person darf. Wer entfernt wird, verliert sofort jeden Zugang.',
  'You are here with a key. Sign in with {name} to be an administrator under your own name.':
    'Du bist mit einem Schlüssel hier. Melde dich mit {name} an, um unter deinem eigenen Namen Administrator zu sein.',
};
