/** One content line of a calendar file: `NAME;PARAMETER=VALUE:VALUE`. Source: RFC 5545 §3.1. */
export type ContentLine = {
  /** The property's name, in upper case. */
  readonly name: string
  /** The parameters by their names in upper case; values are without quotes. */
  readonly parameters: ReadonlyMap<string, string>
  readonly value: string
}

const TIME_PROPERTIES = new Set(['DTSTART', 'DTEND', 'RECURRENCE-ID', 'EXDATE', 'RDATE', 'FREEBUSY'])
/** Finds the colon before a date, because some programs write unquoted colons in the name of a time zone. */
const COLON_BEFORE_DATE = /:(?=\s*\d{4}[-/.]?\d\d[-/.]?\d\d)/
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/**
 * Parses a line; never throws. A line without a colon gets an empty name. Takes linear time, however the line is
 * quoted.
 */
export function parseContentLine(line: string): ContentLine {
  const name = toPropertyName(line)
  const colon = name === '' ? -1 : findColon(line, name)
  if (colon === -1) return { name: '', parameters: NO_PARAMETERS, value: '' }
  const semicolon = line.indexOf(';')
  const hasParameters = semicolon !== -1 && semicolon < colon
  return {
    name,
    parameters: hasParameters ? toParameters(line.slice(semicolon + 1, colon)) : NO_PARAMETERS,
    value: line.slice(colon + 1).trim(),
  }
}

/** Returns the property name in upper case, or '' when there is none. */
export function toPropertyName(line: string): string {
  return /^\s*([A-Za-z0-9-]{1,60})\s*[;:]/.exec(line)?.[1]?.toUpperCase() ?? ''
}

function findColon(line: string, name: string): number {
  const colon = findUnquotedColon(line)
  if (!TIME_PROPERTIES.has(name) || /^\s*\d{4}/.test(line.slice(colon + 1, colon + 20))) return colon
  const beforeDate = line.search(COLON_BEFORE_DATE)
  return beforeDate === -1 ? colon : beforeDate
}

/** Finds the first colon outside quotes. A quote that is never closed is ignored. */
function findUnquotedColon(line: string): number {
  let isQuoted = false
  for (let index = 0; index < line.length; index += 1) {
    const letter = line[index]
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === ':' && !isQuoted) return index
  }
  return line.indexOf(':')
}

function toParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const part of splitUnquoted(text, ';')) {
    const equals = part.indexOf('=')
    if (equals === -1) continue
    const name = part.slice(0, equals).trim().toUpperCase()
    if (!parameters.has(name))
      parameters.set(
        name,
        part
          .slice(equals + 1)
          .replaceAll('"', '')
          .trim(),
      )
  }
  return parameters
}

function splitUnquoted(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let [start, isQuoted] = [0, false]
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index]
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === separator && !isQuoted) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** Unescapes a text value. Source: RFC 5545 §3.3.11. */
export function unescapeText(value: string): string {
  return value.replaceAll(/\\([\\;,nN])/g, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter))
}
