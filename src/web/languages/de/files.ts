/** Files in messages and answers. */
import type { Catalogue } from '../../model/language.ts';

export const FILES: Catalogue = {
  'A file could not be sent. Try it again or remove it; nothing else was sent.':
    'Eine Datei konnte nicht gesendet werden. Versuche es noch einmal oder entferne sie; auch sonst wurde nichts gesendet.',
  'At most {count} files at once; “{name}” was left out.':
    'Höchstens {count} Dateien auf einmal; „{name}“ wurde ausgelassen.',
  'Attach files': 'Dateien anhängen',
  'Attach files…': 'Dateien anhängen …',
  'Attached files': 'Angehängte Dateien',
  'Chosen files': 'Ausgewählte Dateien',
  'Open picture {name}, {size}': 'Bild {name} öffnen, {size}',
  'Sending files…': 'Dateien werden gesendet …',
  'Stop sending {name}': 'Nicht weiter senden: {name}',
  'The files are ready to send.': 'Die Dateien sind bereit zum Senden.',
  'The picture cannot be shown.': 'Das Bild kann nicht gezeigt werden.',
  'Try again: {name}': 'Noch einmal: {name}',
  '{percent} of {size}': '{percent} von {size}',
  '“{name}” is empty.': '„{name}“ ist leer.',
  '“{name}” is larger than 5 MB.': '„{name}“ ist größer als 5 MB.',
};
