/** The settings that every person has, targets, and connecting an agent. */
import type { Catalogue } from '../../model/language.ts';

export const SETTINGS: Catalogue = {
  Agents: 'Agenten',
  Appearance: 'Darstellung',
  'As the browser': 'Wie der Browser',
  'As the system': 'Wie das System',
  Colors: 'Farben',
  'Connect an agent': 'Agenten verbinden',
  Dark: 'Dunkel',
  'For this device alone.': 'Nur für dieses Gerät.',
  Language: 'Sprache',
  Light: 'Hell',
  'Light by day and dark by night, if your device does so.':
    'Tags hell und nachts dunkel, wenn dein Gerät das so macht.',
  'My devices': 'Meine Geräte',
  Settings: 'Einstellungen',
  Targets: 'Ziele',
  'The page loads anew. Dates and numbers follow the language.':
    'Die Seite wird neu geladen. Daten und Zahlen folgen der Sprache.',
  Workspace: 'Arbeitsbereich',
  You: 'Du',
};
