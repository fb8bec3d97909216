/** Two questions as models ask them, one of them with several choices. */
export const QUESTIONS = [
  {
    question: 'Which database?',
    header: 'Database',
    options: [
      { label: 'Postgres', description: 'Known' },
      { label: 'SQLite', description: 'Near' },
    ],
    multiSelect: false,
  },
  {
    question: 'Which features?',
    header: 'Features',
    options: [
      { label: 'Search', description: 'Finds things' },
      { label: 'Export', description: 'Writes files' },
    ],
    multiSelect: true,
  },
];
