/** The tools every agent of a session has, as the model is told of them. */
import type { ModelTool } from '../model.ts';
import { askUserQuestion } from './ask-user-question.ts';
import { exitPlanMode } from './exit-plan-mode.ts';
import { editFile, listFiles, readFile, writeFile } from './files.ts';

export const BUILT_IN_TOOLS: readonly ModelTool[] = [
  askUserQuestion,
  exitPlanMode,
  readFile,
  writeFile,
  editFile,
  listFiles,
];
