/** Returns the lines of a text area that have text, trimmed. */
export function listTypedLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
