import type { CssNode, Declaration, List } from 'css-tree'
import type { CssIdentifierCodec } from './rewrite-selector.ts'
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_KEYWORDS,
  ALLOWED_UNITS,
  NON_NEGATIVE_PROPERTIES,
  PROPERTIES_WITH_PROTECTED_CONTENT,
  PROPERTIES_WITHOUT_PROTECTED_CONTENT,
  STRING_PROPERTIES,
  throwStyleError,
} from './style-rules.ts'

/** A CSS declaration that was parsed and rewritten. */
export type RewrittenDeclaration = {
  readonly text: string
  /** True when elements that contain a protected part may have this property. Source: rule K8. */
  readonly isSurrounding: boolean
}

/** The context that the functions which write values need. */
export type CssWriterContext = {
  readonly ident: CssIdentifierCodec
  readonly encodeText: (text: string) => string
  /** The animations declared in this style sheet; their names get a prefix. */
  readonly animations: ReadonlySet<string>
}

export const ANIMATION_PREFIX = 'look-'

const CUSTOM_PROPERTY = /^--[a-z][\w-]{0,60}$/i
const NAME = /^-?[a-z_][\w-]{0,80}$/i

/**
 * Rewrites a declaration using only allow-listed properties, keywords, numbers and functions. Source: rule K7.
 * @throws StyleError
 */
export function rewriteDeclaration(names: CssWriterContext, declaration: Declaration): RewrittenDeclaration {
  const property = toProperty(names, declaration)
  if (declaration.important !== false) return throwStyleError(declaration, '“!important” isn’t allowed.')
  const { value } = declaration
  if (value.type !== 'Value') return throwStyleError(declaration, `The value of “${property}” isn’t valid.`)
  const nodes = value.children.toArray()
  if (nodes.length === 0) return throwStyleError(declaration, `“${property}” has no value.`)
  const words = ALLOWED_KEYWORDS[property]
  if (words !== undefined) refuseOtherWords(names, nodes, { property, words })
  if (NON_NEGATIVE_PROPERTIES.test(property)) refuseOtherLengths(nodes, property)
  const text = nodes.map((node) => writeValue(names, node, property)).join(' ')
  return { text: `${property}:${text}`, isSurrounding: PROPERTIES_WITH_PROTECTED_CONTENT.has(property) }
}

function toProperty({ ident }: CssWriterContext, declaration: Declaration): string {
  const written = ident.decode(declaration.property)
  if (written.startsWith('--')) {
    if (!CUSTOM_PROPERTY.test(written))
      return throwStyleError(declaration, 'This custom property name isn’t allowed.')
    return written
  }
  const property = written.toLowerCase()
  if (
    !PROPERTIES_WITH_PROTECTED_CONTENT.has(property) &&
    !PROPERTIES_WITHOUT_PROTECTED_CONTENT.has(property)
  ) {
    return throwStyleError(declaration, `The property “${property.slice(0, 40)}” isn’t allowed.`)
  }
  return property
}

function refuseOtherWords(
  { ident }: CssWriterContext,
  nodes: readonly CssNode[],
  { property, words }: { property: string; words: ReadonlySet<string> },
): void {
  const [node, ...others] = nodes
  const isWord = node?.type === 'Identifier' && words.has(ident.decode(node.name).toLowerCase())
  if (node !== undefined && (!isWord || others.length > 0)) {
    throwStyleError(node, `“${property}” can only be ${[...words].join(', ')}.`)
  }
}

function refuseOtherLengths(nodes: readonly CssNode[], property: string): void {
  for (const node of nodes) {
    const isNumber = node.type === 'Number' || node.type === 'Dimension' || node.type === 'Percentage'
    const isPlain =
      (isNumber && !node.value.startsWith('-')) || (node.type === 'Identifier' && node.name === 'auto')
    if (!isPlain) throwStyleError(node, `“${property}” can only be a length of zero or more, or auto.`)
  }
}

/** A writer for each kind of value. Kinds without a writer are refused. */
type Writers = {
  readonly [Type in CssNode['type']]?: (
    names: CssWriterContext,
    node: Extract<CssNode, { type: Type }>,
    property: string,
  ) => string
}

const WRITERS: Writers = {
  Identifier: writeWord,
  Number: (_names, node) => checkedNumber(node, node.value),
  Percentage: (_names, node) => `${checkedNumber(node, node.value)}%`,
  Dimension: ({ ident }, node) => {
    const unit = ident.decode(node.unit).toLowerCase()
    if (!ALLOWED_UNITS.has(unit)) return throwStyleError(node, `“${unit.slice(0, 40)}” isn’t a CSS unit.`)
    return checkedNumber(node, node.value) + unit
  },
  Hash: (_names, node) =>
    /^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(node.value)
      ? `#${node.value}`
      : throwStyleError(node, 'This isn’t a colour.'),
  String: ({ encodeText }, node, property) =>
    STRING_PROPERTIES.has(property)
      ? encodeText(node.value)
      : throwStyleError(node, 'Quoted text isn’t allowed here.'),
  Operator: (_names, node) => {
    const sign = node.value.trim()
    return OPERATORS.has(sign) ? sign : throwStyleError(node, `“${sign}” isn’t allowed here.`)
  },
  Parentheses: (names, node, property) => `(${writeAll(names, node.children, property)})`,
  Function: (names, node, property) => {
    const name = names.ident.decode(node.name).toLowerCase()
    if (!ALLOWED_FUNCTIONS.has(name)) return throwStyleError(node, `“${name.slice(0, 40)}()” isn’t allowed.`)
    return `${name}(${writeAll(names, node.children, property)})`
  },
  Url: (_names, node) =>
    throwStyleError(node, '“url()” isn’t allowed: a booking page loads nothing from other sites.'),
}

const OPERATORS: ReadonlySet<string> = new Set([',', '/', '+', '-', '*'])

function writeValue(names: CssWriterContext, node: CssNode, property: string): string {
  // The cast is needed because TypeScript cannot pair a node with the writer for its type.
  const write = WRITERS[node.type] as
    | ((names: CssWriterContext, node: CssNode, property: string) => string)
    | undefined
  return write?.(names, node, property) ?? throwStyleError(node, `The value of “${property}” isn’t valid.`)
}

function writeWord(
  names: CssWriterContext,
  node: Extract<CssNode, { type: 'Identifier' }>,
  property: string,
): string {
  const name = names.ident.decode(node.name)
  if (!NAME.test(name) && !CUSTOM_PROPERTY.test(name))
    return throwStyleError(node, 'This word isn’t allowed.')
  const isAnimation = property.startsWith('animation') && names.animations.has(name)
  return isAnimation ? ANIMATION_PREFIX + name : name
}

function checkedNumber(node: CssNode, value: string): string {
  return /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(value) ? value : throwStyleError(node, 'This number isn’t valid.')
}

function writeAll(names: CssWriterContext, nodes: List<CssNode>, property: string): string {
  return nodes
    .toArray()
    .map((node) => writeValue(names, node, property))
    .join(' ')
}
