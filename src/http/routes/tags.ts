/** The sections of the reference, in the order in which the routes first name them. */
import type { Tag } from '../openapi/document.ts';

export const SESSIONS_TAG: Tag = {
  name: 'Sessions',
  description: 'One session is one conversation of one agent, with its own log.',
};
export const INTERACTIONS_TAG: Tag = {
  name: 'Interactions',
  description: 'One question put to a person on behalf of one tool call.',
};
export const AGENT_TAG: Tag = {
  name: 'Agent',
  description: 'The built-in agent of a session: its files, its client tools, retries.',
};
export const SHORT_FORMS_TAG: Tag = {
  name: 'Short forms',
  description:
    'Answers by tool call, for clients that do not know interaction ids. Older clients find the same routes under `/api/sessions/{id}/…`.',
};
export const LOG_TAG: Tag = {
  name: 'Log',
  description: 'All events of a session, in order.',
};
export const CREDENTIALS_TAG: Tag = {
  name: 'Credentials',
  description: 'Keys for programs, and the tokens made from them.',
};
export const WORKSPACE_TAG: Tag = {
  name: 'Workspace',
  description: 'The inbox, the audit list and the settings of the workspace.',
};
export const SERVICE_TAG: Tag = {
  name: 'Service',
  description: 'The state of the service, and this reference.',
};
