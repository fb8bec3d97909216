/** The conversation: messages, texts and tool calls. */
import type { Catalogue } from '../../model/language.ts';

export const CONVERSATION: Catalogue = {
  'Conversation summarized: {before} → {after} tokens':
    'Gespräch zusammengefasst: {before} → {after} Tokens',
  '{who} took a summary back: the agent reads the whole conversation again':
    '{who} hat eine Zusammenfassung zurückgenommen: Der Agent liest wieder das ganze Gespräch',
  'Show the summary': 'Zusammenfassung zeigen',
  'Use the whole conversation again': 'Wieder das ganze Gespräch verwenden',
  'Agent messages': 'Nachrichten des Agenten',
  Conversation: 'Gespräch',
  '{count} waiting for you further up': {
    one: 'Eine Anfrage wartet weiter oben auf dich',
    other: '{count} Anfragen warten weiter oben auf dich',
  },
  Error: 'Fehler',
  Input: 'Eingabe',
  'Input not reported': 'Eingabe nicht gemeldet',
  'Input of {name}': 'Eingabe von {name}',
  '{name} wrote': '{name} schrieb',
  Newest: 'Neueste',
  'No result': 'Kein Ergebnis',
  Result: 'Ergebnis',
  'Revoke the rule for {toolName}': 'Die Regel für {toolName} widerrufen',
  'Show earlier': 'Frühere zeigen',
  'Stopped here': 'Hier angehalten',
  'The agent': 'Der Agent',
  Thoughts: 'Gedanken',
  Tool: 'Werkzeug',
  'Unknown event: {type}': 'Unbekanntes Ereignis: {type}',
  'What it says': 'Was es enthält',
};
