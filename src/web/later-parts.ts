/** The parts that the first screen does not need, fetched beside it in one file. */
export { watchAsked } from './cards/parts/watch-asked.ts';
export { RequestDifferences } from './cards/parts/request-differences.tsx';
export { UnsentTextForm } from './cards/parts/unsent-text.tsx';
export { PlanReview } from './cards/plan/plan-review.tsx';
export { InputEditor } from './cards/approval/input-editor.tsx';
export { EveryCommand } from './cards/approval/session-offer.tsx';
export { SessionOffer } from './cards/approval/session-offer.tsx';
export { FormPrompt } from './cards/form/form-prompt.tsx';
export { DetailsSheet } from './session/details-sheet.tsx';
export { HistoryLine } from './session/history-line.tsx';
export { HistoryMerge } from './model/history-merge.ts';
export { readWholeHistory } from './session/read-history.ts';
export { ToolDetails } from './conversation/tool-details.tsx';
export { startersFor } from './model/starters.ts';
export { startDevice } from './device/start-device.tsx';
export { Settings } from './settings/settings.tsx';
