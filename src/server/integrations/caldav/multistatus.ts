import sax from 'sax'
import { CalendarProviderError, CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/** An XML element; `name` has no namespace. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

/** The part of a multi-status response about one resource. */
export type DavResource = {
  /** The absolute URL of the resource. */
  readonly url: string
  readonly status: number
  readonly isOk: boolean
  /** The requested properties that the server found. */
  readonly properties: ReadonlyMap<string, XmlElement>
}

/** Maximum number of resources in a response; at most 20,000 events are compared (rule G25). */
const MOST_PARTS = 50_000
/** Maximum number of elements and attributes in a response. An event in a list needs about eight. */
const MOST_ELEMENTS = 300_000
/** Maximum nesting of elements. A valid response is about ten levels deep. */
const DEEPEST = 40
/** Maximum URL length: URLs are stored, and the database cannot index longer ones. */
const LONGEST_ADDRESS = 2_000
const CHARACTERS_AT_ONCE = 65_536

const NO_ANSWER = 'The response didn’t come from a calendar server.'

/**
 * Parses a multi-status answer (RFC 4918 §13) in a stream, so that memory holds only its largest part. Rejects document
 * types with entities, and names or attributes of 64 kB, which no valid answer needs. Source: rule G26.
 * @throws CalendarProviderError
 */
function* readMultistatus(content: Uint8Array): Generator<XmlElement> {
  const text = new TextDecoder().decode(content)
  const complete: XmlElement[] = []
  const parser = buildParser((part) => complete.push(part))
  let parts = 0
  for (let at = 0; at < text.length; at += CHARACTERS_AT_ONCE) {
    parser.write(text.slice(at, at + CHARACTERS_AT_ONCE))
    parts += complete.length
    if (parts > MOST_PARTS) throw toTooLargeError('The server’s response has more than 50,000 entries.')
    yield* complete.splice(0)
  }
  // Reject a truncated response: the missing objects would look deleted.
  if (!parser.hasEnded()) {
    const words = parser.hasBegun() ? 'The server’s response was cut off.' : NO_ANSWER
    throw new CalendarProviderError('unavailable', words)
  }
}

function buildParser(take: (part: XmlElement) => void) {
  const open: XmlElement[] = []
  let elements = 0
  let hasEnded = false
  let hasBegun = false
  const count = () => {
    elements += 1
    if (elements > MOST_ELEMENTS)
      throw toTooLargeError('The server’s response has more than 300,000 elements.')
  }
  const addText = (text: string) => {
    const inside = open.at(-1)
    if (inside !== undefined && open.length > 1) inside.text += text
  }
  const parser = sax.parser(true)
  parser.onopentag = ({ name, attributes }) => {
    count()
    const element = { name: toLocalName(name), attributes: toStrings(attributes), children: [], text: '' }
    if (open.length === 0 && element.name !== 'multistatus') throw toNoAnswer()
    hasBegun = true
    if (open.length >= DEEPEST) throw toTooLargeError('The server’s response is nested too deeply.')
    if (open.length > 1) open.at(-1)?.children.push(element)
    open.push(element)
  }
  parser.onclosetag = () => {
    const element = open.pop()
    if (open.length === 1 && element !== undefined) take(element)
    hasEnded = open.length === 0
  }
  parser.onattribute = count
  parser.ontext = addText
  parser.oncdata = addText
  parser.ondoctype = () => {
    throw toNoAnswer()
  }
  parser.onerror = (error) => {
    throw toNoAnswer(error)
  }
  return { write: (text: string) => parser.write(text), hasEnded: () => hasEnded, hasBegun: () => hasBegun }
}

/** Parses the parts of a response about resources, and its `sync-token` element. @throws CalendarProviderError */
export function* readParts(
  content: Uint8Array,
  baseUrl: string,
): Generator<DavResource | { readonly syncToken: string }> {
  for (const element of readMultistatus(content)) {
    if (element.name === 'sync-token') yield { syncToken: element.text.trim() }
    if (element.name !== 'response') continue
    const href = findElementText(findChildElement(element, 'href'))
    if (href !== null) yield toPart(element, toAbsoluteUrl(href, baseUrl))
  }
}

/** Parses only the parts of a response about resources. @throws CalendarProviderError */
export function* readResources(content: Uint8Array, baseUrl: string): Generator<DavResource> {
  for (const part of readParts(content, baseUrl)) if ('url' in part) yield part
}

/** @throws CalendarTooLargeError */
export function toAbsoluteUrl(href: string, baseUrl: string): string {
  const { href: address } = new URL(href, baseUrl)
  if (address.length > LONGEST_ADDRESS)
    throw toTooLargeError('The server has an address of more than 2,000 characters.')
  return address
}

function toPart(element: XmlElement, url: string): DavResource {
  // A resource without a status of its own exists.
  const status = statusOf(element) ?? 207
  const properties = element.children
    .filter((child) => child.name === 'propstat' && isOk(statusOf(child) ?? 200))
    .flatMap((propstat) => findChildElement(propstat, 'prop')?.children ?? [])
  return { url, status, isOk: isOk(status), properties: new Map(properties.map((one) => [one.name, one])) }
}

/** Returns the number in a status line such as `HTTP/1.1 404 Not Found`. */
function statusOf(element: XmlElement): number | null {
  const [, status] = /^\S+\s+(\d{3})\b/.exec(findElementText(findChildElement(element, 'status')) ?? '') ?? []
  return status === undefined ? null : Number(status)
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300
}

export function findChildElement(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name)
}

/** Returns the text of an element, or null when the element is missing or empty. */
export function findElementText(element: XmlElement | undefined): string | null {
  const text = element?.text.trim() ?? ''
  return text === '' ? null : text
}

function toLocalName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

function toStrings(attributes: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [toLocalName(name), String(value)]),
  )
}

function toNoAnswer(cause?: Error): CalendarProviderError {
  return new CalendarProviderError('unavailable', NO_ANSWER, { cause })
}

function toTooLargeError(words: string): CalendarTooLargeError {
  return new CalendarTooLargeError('refused', words)
}
