/**
 * How long a person has for what the built-in agent asks, in seconds, where neither the session, the workspace nor the
 * deployment says otherwise. A turn holds what it was told; after some minutes the model should hear that nobody came.
 */
export const TIME_TO_ANSWER = {
  approval: 600,
  question: 600,
  plan_review: 300,
} as const;
