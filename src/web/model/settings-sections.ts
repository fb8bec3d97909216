/** The pages of the settings, in the order of their list, a group together. */
import { t } from './language.ts';
import { hasScope, type Person } from './person.ts';

export const SECTIONS = [
  { id: 'alerts', group: 'you', words: () => t('Sound and badge') },
  { id: 'appearance', group: 'you', words: () => t('Appearance') },
  { id: 'devices', group: 'you', words: () => t('Devices and tokens') },
  { id: 'connect', group: 'agents', words: () => t('Connect an agent') },
  { id: 'people', group: 'workspace', words: () => t('People') },
  { id: 'targets', group: 'workspace', words: () => t('Targets') },
  { id: 'rules', group: 'workspace', words: () => t('Rules') },
  { id: 'status', group: 'workspace', words: () => t('Status'), isAdmin: true },
  { id: 'keys', group: 'workspace', words: () => t('Keys'), isAdmin: true },
  { id: 'audit', group: 'workspace', words: () => t('Audit'), isAdmin: true },
  { id: 'defaults', group: 'workspace', words: () => t('Defaults'), isAdmin: true },
  { id: 'retention', group: 'workspace', words: () => t('Retention'), isAdmin: true },
  { id: 'workspaces', group: 'workspace', words: () => t('Workspaces'), isAdmin: true },
] as const;

export type SettingsSection = (typeof SECTIONS)[number];

export function sectionsFor(person: Person): readonly SettingsSection[] {
  return SECTIONS.filter((section) => hasScope(person, 'admin') || !('isAdmin' in section));
}
