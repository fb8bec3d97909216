/**
 * The names of fields by which an edit or an address is recognized, apart from the readers of both: a page that shows a
 * command at once fetches these a moment later.
 */
export const OLD = ['old_string', 'old_str', 'oldString', 'oldText', 'old_text'];
export const NEW = ['new_string', 'new_str', 'newString', 'newText', 'new_text'];
export const CONTENTS = ['content', 'contents', 'file_text', 'new_source'];
export const PATCHES = ['patch', 'diff', 'unified_diff', 'patchText', 'input'];
export const ADDRESSES = ['url', 'uri', 'href', 'endpoint'];

/** An input without any of these is a command, or only its fields. */
export const READ_LATER: readonly string[] = [
  ...[OLD, NEW, CONTENTS, PATCHES, ADDRESSES].flat(),
  'edits',
  'changes',
  'insert_text',
];
