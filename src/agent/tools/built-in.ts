/** The tools every agent of a session has, as the model is told of them. */
import type { ModelTool } from '../model.ts';
import { askUserQuestion } from './ask-user-question.ts';
import { exitPlanMode } from './exit-plan-mode.ts';
import { editFileTool } from './files/edit.ts';
import { listFilesTool } from './files/list.ts';
import { readFileTool } from './files/read.ts';
import { writeFileTool } from './files/write.ts';

export const BUILT_IN_TOOLS: readonly ModelTool[] = [
  askUserQuestion,
  exitPlanMode,
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
];
