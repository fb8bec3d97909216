/** The exports for a view. */
export {
  emptyTimeline,
  foldDelta,
  foldEvents,
  type Timeline,
  withoutPreviews,
} from './timeline.ts';
export type {
  Block,
  CallBlock,
  Container,
  ContainerType,
  ErrorBlock,
  NoticeBlock,
  SummaryBlock,
  QuestionnaireBlock,
  TextBlock,
  ThinkingBlock,
  ToolBlock,
  ToolCallState,
  ToolCallStatus,
  ToolGroup,
  ToolCallResult,
  Turn,
  TurnEnd,
  UnknownBlock,
  UserBlock,
} from './block.ts';
export { isAskedByCommand } from './tool-calls.ts';
