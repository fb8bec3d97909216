/** What a view needs of the timeline. */
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
  QuestionnaireBlock,
  TextBlock,
  ThinkingBlock,
  ToolBlock,
  ToolCallState,
  ToolCallStatus,
  ToolGroup,
  ToolResult,
  Turn,
  TurnEnd,
  UnknownBlock,
  UserBlock,
} from './block.ts';
