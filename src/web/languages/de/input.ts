/** The input of a tool on its card, its editing, and the comments on a plan. */
import type { Catalogue } from '../../model/language.ts';

export const INPUT: Catalogue = {
  'as JSON': 'als JSON',
  'Add to the reason': 'In den Grund aufnehmen',
  'Comment on a line': 'Eine Zeile kommentieren',
  'Comment on a line…': 'Eine Zeile kommentieren …',
  Line: 'Zeile',
  'The list leaves lines out. Press the number of a line to comment on that one.':
    'Die Liste lässt Zeilen aus. Ein Druck auf die Nummer einer Zeile kommentiert diese.',
  'The reason of a denial has no room for this.':
    'Dafür ist im Grund einer Ablehnung kein Platz mehr.',
  'Comment on the plan': 'Den Plan kommentieren',
  'Comment on “{quote}”': 'Kommentieren: „{quote}“',
  'Copy the plan': 'Den Plan kopieren',
  '{count} headings': { one: '{count} Überschrift', other: '{count} Überschriften' },
  'Edit as JSON': 'Als JSON bearbeiten',
  'Edit by field': 'Nach Feldern bearbeiten',
  'Edit input (JSON)': 'Eingabe bearbeiten (JSON)',
  'Edit the comment': 'Kommentar bearbeiten',
  'Everywhere in the file': 'Überall in der Datei',
  'Line {line}': 'Zeile {line}',
  'Lines counted from the start of this part': 'Zeilen ab dem Anfang dieses Teils gezählt',
  'Nothing is changed yet.': 'Noch ist nichts geändert.',
  'Remove the comment': 'Kommentar entfernen',
  'Save the comment': 'Kommentar speichern',
  'Show {count} unchanged lines': {
    one: '1 unveränderte Zeile zeigen',
    other: '{count} unveränderte Zeilen zeigen',
  },
  'The agent gets your comments only if you request changes.':
    'Der Agent bekommt deine Kommentare nur, wenn du Änderungen anforderst.',
  'The input must be a JSON object: {example}': 'Die Eingabe muss ein JSON-Objekt sein: {example}',
  'This is not JSON.': 'Das ist kein JSON.',
  'This is not JSON: look at line {line}, column {column}.':
    'Das ist kein JSON: siehe Zeile {line}, Spalte {column}.',
  'Type a number.': 'Gib eine Zahl ein.',
  'Your changes': 'Deine Änderungen',
  'Your comment': 'Dein Kommentar',
  'Your comments': 'Deine Kommentare',
};
