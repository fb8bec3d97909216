/** What a form asks, judged when it is opened; what was filled in, judged when it is answered. */
export { checkFormSchema } from './form/check-schema.ts';
export { checkFormValues, soleTextField } from './form/check-values.ts';
