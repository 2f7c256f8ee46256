export type CsvValue = string | number | boolean | null

/** Tells spreadsheet programs that the text is UTF-8; without it they read names in some older encoding. */
export const CSV_BOM = '\uFEFF'

/** One record with its line end. Source: RFC 4180 §2. */
export function toCsvRecord(values: readonly CsvValue[]): string {
  return `${values.map(toCsvField).join(',')}\r\n`
}

function toCsvField(value: CsvValue): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? defuse(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What a spreadsheet program may not see, or remove: spaces, control and format characters, marks without a letter, fillers. */
const UNSEEN = String.raw`[\s\p{C}\p{M}\u115F\u1160\u2800]`
/** A text whose beginning a spreadsheet program cuts off or reads as the start of a formula. */
const LIKE_FORMULA = new RegExp(`^(?:[\t\r\n]|${UNSEEN}*[=+\\-@\u2212])`, 'u')

/**
 * What customers typed must not run as a formula in the owner's spreadsheet. Spreadsheet programs in languages that write with full
 * width read `＝` as `=`, so the text is judged in its compatibility form (NFKC). Source: OWASP "CSV Injection"; rule D3.
 */
function defuse(text: string): string {
  return LIKE_FORMULA.test(text.normalize('NFKC')) ? `'${text}` : text
}
