/** The workspaces of a deployment. The name of one is in its credentials and never changes; its title is for people. */
import * as z from './zod.ts';
import { Name } from './name.ts';

/** It is the name of an object and a part of the names of its sessions. */
export const WorkspaceName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'Use small letters, digits and dashes, at most 40')
  .meta({ description: 'The workspace.', example: 'docs-team' });

export const CreateWorkspace = z
  .strictObject({ name: WorkspaceName, title: Name.optional() })
  .meta({ id: 'CreateWorkspace' });

export const RenameWorkspace = z.strictObject({ title: Name }).meta({ id: 'RenameWorkspace' });

export const WorkspaceEntry = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    createdAt: z.number().nullable().describe('Null: it was there before it was listed.'),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceEntry = z.infer<typeof WorkspaceEntry>;
