export type CsvValue = string | number | boolean | null

/** Byte order mark. Without it, spreadsheet programs do not read the file as UTF-8. */
export const CSV_BOM = '\uFEFF'

/** One CSV record with its line end. Source: RFC 4180 §2. */
export function toCsvRecord(values: readonly CsvValue[]): string {
  return `${values.map(toCsvField).join(',')}\r\n`
}

function toCsvField(value: CsvValue): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? defuse(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Characters that a spreadsheet program may ignore or strip: spaces, control and format characters, lone marks,
 * fillers.
 */
const UNSEEN = String.raw`[\s\p{C}\p{M}\u115F\u1160\u2800]`
/** Matches text whose beginning a spreadsheet program strips or interprets as a formula. */
const LIKE_FORMULA = new RegExp(`^(?:[\t\r\n]|${UNSEEN}*[=+\\-@\u2212])`, 'u')

/**
 * Prevents customer text from running as a formula in the owner's spreadsheet. Programs in languages with full-width
 * letters treat `＝` as `=`, so the NFKC form is checked. Source: OWASP "CSV Injection"; rule D3.
 */
function defuse(text: string): string {
  return LIKE_FORMULA.test(text.normalize('NFKC')) ? `'${text}` : text
}
