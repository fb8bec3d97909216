/** Whether a rule that denies or asks is about a call. What is unclear is asked about. */
export type Finding = 'yes' | 'no' | 'unclear';
