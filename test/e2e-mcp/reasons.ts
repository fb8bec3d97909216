/** The groups of the conformance suite's scenarios, and why a product fails those that are about a fixture server. */

export interface Group {
  readonly title: string;
  readonly scenarios: RegExp;
}

export interface Reason {
  readonly scenarios: RegExp;
  /** Of the failed check: another failure of the same scenario is not excused. */
  readonly message: RegExp;
  /** For docs/mcp.md. */
  readonly why: string;
}

export const GROUPS: readonly Group[] = [
  { title: 'lifecycle and sessions', scenarios: /^(server-(initialize|session-|stateless)|ping$)/ },
  { title: 'streams', scenarios: /^server-sse-/ },
  { title: 'headers and origins', scenarios: /^(http-|dns-)/ },
  { title: 'caching', scenarios: /^caching$/ },
  { title: 'tools', scenarios: /^tools-/ },
  { title: 'schemas of tools', scenarios: /^json-schema-/ },
  { title: 'rounds (`input_required`)', scenarios: /^input-required-/ },
  { title: 'elicitation', scenarios: /^elicitation-/ },
  { title: 'resources', scenarios: /^(resources-|sep-2164)/ },
  { title: 'prompts', scenarios: /^prompts-/ },
  { title: 'completion', scenarios: /^completion-/ },
  { title: 'logging', scenarios: /^logging-/ },
  { title: 'tasks, an extension', scenarios: /^tasks-/ },
];

export const REASONS: readonly Reason[] = [
  {
    scenarios: /^(tools-call|elicitation|input-required|tasks|json-schema|server-stateless)/,
    message: /Tool '?(?!ask_human|approve|check_answer)\w+'? not found|the diagnostic tool 'test_/,
    why: 'a tool of the fixture server is called',
  },
  {
    scenarios: /^input-required-/,
    message:
      /^(Expected InputRequiredResult with|Prerequisite failed: could not get initial|Server returned JSON-RPC error instead of re-requesting)/,
    why: 'begins with a round of a fixture tool; the rounds and the signed state of `ask_human` have tests of their own',
  },
  {
    scenarios: /^(prompts-|resources-|sep-2164-|caching$|input-required-result-non-tool-request$)/,
    message:
      /Method not found$|^Expected error code -32602 \(Invalid Params\), got -32601|^Error data\.uri is undefined/,
    why: 'there are no resources and no prompts, none are declared, and their methods are unknown',
  },
  {
    scenarios: /^completion-/,
    message: /Method not found$/,
    why: 'nothing can be completed, for want of prompts and templates',
  },
  {
    scenarios: /^(logging-|tools-call-with-logging$)/,
    message: /Method not found$/,
    why: 'nothing is logged to clients',
  },
  {
    scenarios: /^server-sse-/,
    message: /did not (provide session ID|send priming event|send retry field)/,
    why: 'recommended for sessions that resume a stream; here a client takes up its question by the id',
  },
  {
    scenarios: /^http-custom-header-/,
    message: /no tool with x-mcp-header/,
    why: 'no argument of a tool is a header',
  },
  {
    scenarios: /^tasks-/,
    message:
      /^(Not testable: no task was created|capabilities\.extensions MUST be|tasks\/get MUST return -32021; got -32601|expected -32602; got -32601|routing-task fixture|tools\/call for failing_job)/,
    why: 'the extension for tasks is not offered',
  },
];
