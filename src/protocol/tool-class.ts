/**
 * What a tool does, by its name alone: a caller cannot choose it, because a caller could then declare a shell a reader.
 *
 * The gate decides by it, and the inbox shows and finds requests by it.
 */
export type ToolClass = 'read' | 'edit' | 'execute';

const TOOL_CLASSES: Readonly<Record<string, ToolClass>> = {
  Read: 'read',
  Grep: 'read',
  Glob: 'read',
  LS: 'read',
  List: 'read',
  NotebookRead: 'read',
  WebSearch: 'read',
  WebFetch: 'read',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Bash: 'execute',
};

/** Undefined for a tool that is not in the table. */
export function namedToolClass(toolName: string): ToolClass | undefined {
  return Object.hasOwn(TOOL_CLASSES, toolName) ? TOOL_CLASSES[toolName] : undefined;
}
