/** What has to pass, the quick ones first; names of npm scripts. the tests need `build`. */
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
  'test:long',
] as const;
