/** Rules: their page, their words on the row of a call, and what a rule would have changed. */
import type { Catalogue } from '../../model/language.ts';

export const RULES: Catalogue = {
  'Addresses at the host': 'Adressen auf dem Host',
  allowed: 'erlaubt',
  Allows: 'Erlaubt',
  'And {number} more.': 'Und {number} weitere.',
  asked: 'gefragt',
  Asks: 'Fragt',
  'Any option may follow these words, and some run other programs.':
    'Auf diese Wörter kann jede Option folgen, und manche starten andere Programme.',
  'Commands that begin with': 'Befehle, die beginnen mit',
  '{count} were too large to try.': {
    one: '1 war zu groß zum Probieren.',
    other: '{count} waren zu groß zum Probieren.',
  },
  '{count} would have been allowed.': {
    one: '1 wäre erlaubt worden.',
    other: '{count} wären erlaubt worden.',
  },
  '{count} would have been asked.': {
    one: 'Bei 1 wäre gefragt worden.',
    other: 'Bei {count} wäre gefragt worden.',
  },
  '{count} would have been denied.': {
    one: '1 wäre abgelehnt worden.',
    other: '{count} wären abgelehnt worden.',
  },
  '{decision} by rule {pattern} of the workspace, made by {name}':
    '{decision} durch die Regel {pattern} des Arbeitsbereichs, von {name}',
  '{decision} by rule {pattern}, made by {name}':
    '{decision} durch die Regel {pattern}, von {name}',
  '{decision} by rule {pattern}, made by {name}, revoked since':
    '{decision} durch die Regel {pattern}, von {name}, inzwischen widerrufen',
  denied: 'abgelehnt',
  Denies: 'Lehnt ab',
  'Every call': 'Jeder Aufruf',
  expired: 'abgelaufen',
  'Files at': 'Dateien unter',
  'In every session': 'In jeder Sitzung',
  'In {session}': 'In {session}',
  'It changes nothing about the last {count} requests.': {
    one: 'Sie ändert nichts an der letzten Anfrage.',
    other: 'Sie ändert nichts an den letzten {count} Anfragen.',
  },
  'it is revoked': 'sie widerrufen wird',
  'Its exact name, or mcp__server__* for all tools of an MCP server.':
    'Der genaue Name, oder mcp__server__* für alle Werkzeuge eines MCP-Servers.',
  'made by {name} {when}': 'von {name} {when}',
  'Made from this request': 'Aus dieser Anfrage',
  'Make the rule': 'Regel anlegen',
  'New rule': 'Neue Regel',
  'No request has passed the gate yet, so nothing can be tried.':
    'Es gab noch keine Anfrage, also lässt sich nichts probieren.',
  'No rule yet. A person makes one with a request, an administrator here.':
    'Noch keine Regel. Sie entsteht bei einer Anfrage, oder hier durch einen Administrator.',
  'not used lately': 'zuletzt nicht benutzt',
  '{number} days from now': 'in {number} Tagen',
  'Of the last {count} requests:': {
    one: 'Von der letzten Anfrage:',
    other: 'Von den letzten {count} Anfragen:',
  },
  'Reason (optional)': 'Grund (freiwillig)',
  Revoked: 'Widerrufen',
  Rules: 'Regeln',
  'Rules of this session': 'Regeln dieser Sitzung',
  'The agent reads it if the rule denies a call.':
    'Der Agent liest ihn, wenn die Regel einen Aufruf ablehnt.',
  'This rule': 'Diese Regel',
  tomorrow: 'morgen',
  'until {time}': 'bis {time}',
  'used {count} times lately, last {when}': {
    one: 'zuletzt einmal benutzt, {when}',
    other: 'zuletzt {count}-mal benutzt, {when}',
  },
  'was {before}, becomes {after}': 'war {before}, wird {after}',
  'What is allowed, asked about or denied without asking anew. The strictest rule wins.':
    'Was ohne neue Frage erlaubt, gefragt oder abgelehnt wird. Die strengste Regel gilt.',
  'Which calls': 'Welche Aufrufe',
  'Yes, every command, without asking anyone': 'Ja, jeder Befehl, ohne jemanden zu fragen',
  you: 'dir',
};
