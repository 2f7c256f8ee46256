export type CsvValue = string | number | boolean | null

/** Tells spreadsheet programs that the text is UTF-8; without it they read names in some older encoding. */
export const CSV_BEGINNING = '\uFEFF'

/** One record with its line end. Source: RFC 4180 §2. */
export function toCsvRecord(values: readonly CsvValue[]): string {
  return `${values.map(toCsvField).join(',')}\r\n`
}

function toCsvField(value: CsvValue): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? defuse(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * What customers typed must not run as a formula in the owner's spreadsheet. Source: OWASP "CSV Injection"; rule D3.
 */
function defuse(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
