/** This browser: its connection, its version, its name. */
import type { Catalogue } from '../../model/language.ts';

export const DEVICE: Catalogue = {
  'A new version is ready.': 'Eine neue Version ist bereit.',
  Browser: 'Browser',
  'Holdpoint cannot be reached. What you see may be old. Trying again…':
    'Holdpoint ist nicht erreichbar. Was du siehst, ist vielleicht veraltet. Neuer Versuch …',
  Reload: 'Neu laden',
  'The server responded {status}': 'Der Server antwortete {status}',
  '{name} on {system}': '{name} auf {system}',
};
