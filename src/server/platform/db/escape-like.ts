/** Typed text is literal: for LIKE, `%`, `_` and the escape character are no wildcards. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
