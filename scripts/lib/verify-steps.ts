/** What has to pass, the quick ones first; names of npm scripts. `test` needs `build`. */
export const VERIFY_STEPS = [
  'check:format',
  'lint',
  'types',
  'check:imports',
  'check:rules',
  'build',
  'check:package',
  'check:web',
  'test',
] as const;
