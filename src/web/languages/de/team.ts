/** Several people and one request: votes, claims, handovers, decisions that were taken back. */
import type { Catalogue } from '../../model/language.ts';

export const TEAM: Catalogue = {
  '{given} of {count} approvals': {
    one: '{given} von {count} Zustimmung',
    other: '{given} von {count} Zustimmungen',
  },
  'Hand over': 'Übergeben',
  'Hand over…': 'Übergeben …',
  'Handed over by {name}': 'Übergeben von {name}',
  'I’ll look at it': 'Ich sehe es mir an',
  'Names, separated by commas; a group as group:ops':
    'Namen, durch Kommas getrennt; eine Gruppe als group:ops',
  '{name} approved': '{name} hat zugestimmt',
  '{name} is looking at this': '{name} sieht sich das an',
  '{names} are looking': { one: '{names} sieht gerade hin', other: '{names} sehen gerade hin' },
  '{name} took back the decision on this. It is open again.':
    '{name} hat die Entscheidung zurückgenommen. Sie ist wieder offen.',
  'Note (optional)': 'Notiz (optional)',
  'One denial ends it.': 'Eine Ablehnung beendet es.',
  'Stop looking': 'Nicht mehr ansehen',
  'Who decides': 'Wer entscheidet',
  'Withdraw approval': 'Zustimmung zurückziehen',
  'You approved': 'Du hast zugestimmt',
  'You approved · waiting for {count} more': {
    one: 'Du hast zugestimmt · es fehlt noch jemand',
    other: 'Du hast zugestimmt · es fehlen noch {count}',
  },
  '{names} are not known here. The request leaves you all the same.': {
    one: '{names} ist hier nicht bekannt. Die Anfrage verlässt dich trotzdem.',
    other: '{names} sind hier nicht bekannt. Die Anfrage verlässt dich trotzdem.',
  },
  'Hand over all the same': 'Trotzdem übergeben',
  'You are looking at this': 'Du siehst dir das an',
  'You asked for this, so another person decides.':
    'Du hast das angefragt; deshalb entscheidet eine andere Person.',
  'You took back the decision on this. It is open again.':
    'Du hast die Entscheidung zurückgenommen. Sie ist wieder offen.',
  'The rule {pattern} of the workspace asks, made by {name}':
    'Die Regel {pattern} des Arbeitsbereichs fragt, angelegt von {name}',
  'The rule {pattern} asks, made by {name}': 'Die Regel {pattern} fragt, angelegt von {name}',
};
