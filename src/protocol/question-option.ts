/** Models write the options of a question as words; a label alone is an option (QST-1). */
export function optionAsObject(option: unknown): unknown {
  return typeof option === 'string' ? { label: option } : option;
}
