/**
 * The tools of a session's agent: their descriptions for the model, who runs them, and how file tools run.
 *
 * Nothing is written here. The change of a file goes into the transaction of the result that reports it, so that the
 * model never learns of a file that does not exist. The input has passed the schema of its tool, but a person may have
 * changed it since; it is read as unchecked.
 */
import type { AgentSettings, AgentTool } from '../../protocol/schema/agent-settings.ts';
import type { ModelTool } from '../model.ts';
import { askUserQuestion, exitPlanMode } from './person-tools.ts';
import type * as z from 'zod';
import type { JsonObject } from '../../protocol/json.ts';
import type { SessionFiles } from './ports.ts';
import {
  editFile,
  editFileTool,
  EditFileInput,
  readFile,
  readFileTool,
  ReadFileInput,
  writeFile,
  writeFileTool,
  WriteFileInput,
  listFiles,
  listFilesTool,
  ListFilesInput,
} from './file-tools.ts';
import { failWith, type FileLimits, type FileResult } from './file-tool.ts';

export const BUILT_IN_TOOLS: readonly ModelTool[] = [
  askUserQuestion,
  exitPlanMode,
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
];

export type Tool = { readonly definition: ModelTool } & (
  | { readonly runBy: 'person'; readonly kind: 'question' | 'plan_review' }
  /** Runs in the transaction of its result, so it cannot stop halfway. */
  | { readonly runBy: 'session' }
  | (Extract<AgentTool, { type: 'http' }> & { readonly runBy: 'http' })
  | (Extract<AgentTool, { type: 'client' }> & { readonly runBy: 'client' })
);

export function listTools(settings: AgentSettings): readonly ModelTool[] {
  return [...BUILT_IN_TOOLS, ...(settings.tools ?? []).map(definitionOf)];
}

export function findTool(settings: AgentSettings, name: string): Tool | undefined {
  const definition = BUILT_IN_TOOLS.find((tool) => tool.name === name);
  if (definition === askUserQuestion) return { definition, runBy: 'person', kind: 'question' };
  if (definition === exitPlanMode) return { definition, runBy: 'person', kind: 'plan_review' };
  if (definition !== undefined) return { definition, runBy: 'session' };
  const configured = settings.tools?.find((tool) => tool.name === name);
  if (configured === undefined) return undefined;
  return configured.type === 'http'
    ? { ...configured, runBy: 'http', definition: definitionOf(configured) }
    : { ...configured, runBy: 'client', definition: definitionOf(configured) };
}

function definitionOf({ name, description, inputSchema }: AgentTool): ModelTool {
  return { name, description, inputSchema };
}

export interface FileToolCall {
  readonly name: string;
  readonly input: JsonObject;
}

export function runFileTool(
  { name, input }: FileToolCall,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  switch (name) {
    case 'Read':
      return withInput(ReadFileInput, input, (checked) => readFile(checked, files, limits));
    case 'Write':
      return withInput(WriteFileInput, input, (checked) => writeFile(checked, files, limits));
    case 'Edit':
      return withInput(EditFileInput, input, (checked) => editFile(checked, files, limits));
    case 'List':
      return withInput(ListFilesInput, input, (checked) => listFiles(checked, files, limits));
    default:
      return rejectUnknownTool(name);
  }
}

function withInput<Input>(
  schema: z.ZodType<Input>,
  input: JsonObject,
  run: (input: Input) => FileResult,
): FileResult {
  const parsed = schema.safeParse(input);
  if (parsed.success) return run(parsed.data);
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  return failWith(`The input cannot be used: ${problems.join('; ')}.`);
}

/** A stored call may name a tool of another version. */
function rejectUnknownTool(name: string): FileResult {
  return failWith(`There is no tool ${name} for files.`);
}
