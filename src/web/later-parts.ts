/** What the first screen can do without: fetched beside it, in one piece. */
export { Differences } from './cards/parts/differences.tsx';
export { FormPrompt } from './cards/form/form-prompt.tsx';
export { DetailsSheet } from './components/details-sheet.tsx';
