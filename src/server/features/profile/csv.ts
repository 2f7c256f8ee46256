import type { ExportedRow } from './export-repository.ts'

/** How a spreadsheet begins a formula. Customers type names and notes, so a cell of theirs must not begin so. */
const FORMULA = /^[=+\-@\t\r]/

/** The first line of a CSV file (RFC 4180). */
export function toCsvHead(columns: readonly string[]): string {
  return `${columns.join(',')}\r\n`
}

/** One line of a CSV file: instants in UTC, settings as JSON, nothing for what is not set. */
export function toCsvLine(columns: readonly string[], row: ExportedRow): string {
  return `${columns.map((column) => toCell(row[column])).join(',')}\r\n`
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') {
    return quote(value instanceof Date ? value.toISOString() : JSON.stringify(value))
  }
  return quote(FORMULA.test(value) ? `'${value}` : value)
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
