import type { CssNode, ident as IdentCodec, List, Selector, SelectorList } from 'css-tree'
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_PSEUDO_CLASSES,
  ALLOWED_PSEUDO_ELEMENTS,
  CONTAINER_SELECTOR,
  ELEMENTS_OUTSIDE_CONTAINER,
  NTH_PSEUDO_CLASSES,
  PROTECTED_SELECTOR,
  SELECTOR_LIST_PSEUDO_CLASSES,
  throwStyleError,
} from './style-rules.ts'

/** Encodes and decodes CSS identifiers. */
export type CssIdentifierCodec = typeof IdentCodec

/** A selector confined to the page. It has one version for each of the two groups of properties. */
export type ScopedSelector = {
  /** The selector for `PROPERTIES_WITH_PROTECTED_CONTENT`. It excludes protected parts and everything inside them. */
  readonly surrounding: string
  /** The selector for `PROPERTIES_WITHOUT_PROTECTED_CONTENT`. It also excludes elements that contain a protected part. */
  readonly other: string
}

const OUTSIDE_PROTECTED = `:not(${PROTECTED_SELECTOR},${PROTECTED_SELECTOR} *)`
const NOT_AROUND_PROTECTED = `:not(${PROTECTED_SELECTOR},${PROTECTED_SELECTOR} *,:has(${PROTECTED_SELECTOR}))`

/**
 * Rewrites a selector using only allow-listed parts, confined to the container of the page and excluding protected
 * parts. Source: rules K7 and K8.
 * @throws StyleError
 */
export function rewriteSelector(ident: CssIdentifierCodec, selector: Selector): ScopedSelector {
  const parts = selector.children.toArray()
  const steps = splitAtCombinators(parts, selector)
  refuseWrongOrder(parts, steps)
  const startsAtContainer = isScope(steps[0]?.compound ?? [])
  const inner = startsAtContainer ? steps.slice(1) : steps
  const last = inner.at(-1)
  if (last === undefined) {
    return {
      surrounding: `${CONTAINER_SELECTOR}${OUTSIDE_PROTECTED}`,
      other: `${CONTAINER_SELECTOR}${NOT_AROUND_PROTECTED}`,
    }
  }
  const path = inner
    .slice(0, -1)
    .map((step, index) => writeStep(ident, step, index === 0 && !startsAtContainer))
  const before = `${CONTAINER_SELECTOR}${path.join('')}${inner.length === 1 && !startsAtContainer ? ' ' : last.combinator}`
  const isPseudo = (part: CssNode) => part.type === 'PseudoElementSelector'
  const own =
    before +
    writeCompound(
      ident,
      last.compound.filter((part) => !isPseudo(part)),
    )
  const tail = last.compound
    .filter(isPseudo)
    .map((part) => writePart(ident, part))
    .join('')
  return { surrounding: `${own}${OUTSIDE_PROTECTED}${tail}`, other: `${own}${NOT_AROUND_PROTECTED}${tail}` }
}

/** A compound selector and the combinator before it. */
type Step = { readonly combinator: string; readonly compound: readonly CssNode[] }

const COMBINATORS: ReadonlySet<string> = new Set([' ', '>', '+', '~'])

function splitAtCombinators(parts: readonly CssNode[], selector: Selector): Step[] {
  const steps: { combinator: string; compound: CssNode[] }[] = [{ combinator: ' ', compound: [] }]
  for (const part of parts) {
    if (part.type !== 'Combinator') {
      steps.at(-1)?.compound.push(part)
      continue
    }
    if (!COMBINATORS.has(part.name)) throwStyleError(part, `“${part.name}” isn’t allowed between selectors.`)
    steps.push({ combinator: part.name, compound: [] })
  }
  if (steps.some(({ compound }) => compound.length === 0)) {
    throwStyleError(selector, 'A selector must start and end with an element, a class or an id.')
  }
  // Refuse a sibling of the container, which is outside the page.
  const [first, second] = steps
  if (first !== undefined && isScopeNode(first.compound[0]) && /[+~]/.test(second?.combinator ?? '')) {
    throwStyleError(selector, 'This selector reaches outside the booking page.')
  }
  return steps
}

/**
 * Refuses a selector whose parts are not in the order that CSS requires. Browsers ignore the whole rule of such a
 * selector, and the selector's exclusions are written before its pseudo-element.
 */
function refuseWrongOrder(parts: readonly CssNode[], steps: readonly Step[]): void {
  const pseudo = parts.slice(0, -1).find((part) => part.type === 'PseudoElementSelector')
  if (pseudo !== undefined) throwStyleError(pseudo, 'Nothing can follow a selector with “::”.')
  for (const { compound } of steps) refuseLateElement(compound)
}

function refuseLateElement(compound: readonly CssNode[]): void {
  const late = compound.slice(1).find(({ type }) => type === 'TypeSelector')
  if (late !== undefined) throwStyleError(late, 'The element name must come first, before its classes.')
}

function isScopeNode(node: CssNode | undefined): boolean {
  return node?.type === 'PseudoClassSelector' && node.name.toLowerCase() === 'scope'
}

function isScope(compound: readonly CssNode[]): boolean {
  return compound.length === 1 && isScopeNode(compound[0])
}

function writeStep(ident: CssIdentifierCodec, { combinator, compound }: Step, isFirst: boolean): string {
  return (isFirst ? ' ' : combinator) + writeCompound(ident, compound)
}

function writeCompound(ident: CssIdentifierCodec, compound: readonly CssNode[]): string {
  if (compound.length === 0) return '*'
  return compound.map((part) => writePart(ident, part)).join('')
}

function writePart(ident: CssIdentifierCodec, part: CssNode): string {
  switch (part.type) {
    case 'TypeSelector': {
      const name = ident.decode(part.name).toLowerCase()
      if (ELEMENTS_OUTSIDE_CONTAINER.has(name))
        return throwStyleError(
          part,
          `“${name}” is not part of the booking page. Use :scope for the whole page.`,
        )
      if (name !== '*' && !/^[a-z][a-z0-9]*$/.test(name))
        return throwStyleError(part, 'This isn’t an element name.')
      return name
    }
    case 'ClassSelector':
      return `.${ident.encode(ident.decode(part.name))}`
    case 'IdSelector':
      return `#${ident.encode(ident.decode(part.name))}`
    case 'AttributeSelector':
      return writeAttribute(ident, part)
    case 'PseudoClassSelector':
      return writePseudoClass(ident, part)
    case 'PseudoElementSelector': {
      const name = ident.decode(part.name).toLowerCase()
      if (part.children !== null || !ALLOWED_PSEUDO_ELEMENTS.has(name))
        return throwStyleError(part, `“::${name}” isn’t allowed.`)
      return `::${name}`
    }
    case 'NestingSelector':
      return throwStyleError(part, 'Rules can’t be nested.')
    default:
      return throwStyleError(part, 'This selector isn’t allowed.')
  }
}

function writeAttribute(
  ident: CssIdentifierCodec,
  part: Extract<CssNode, { type: 'AttributeSelector' }>,
): string {
  const name = ident.decode(part.name.name).toLowerCase()
  if (!ALLOWED_ATTRIBUTES.has(name))
    return throwStyleError(part, `Selectors can’t use the attribute “${name}”.`)
  if (part.matcher === null || part.value === null) return `[${name}]`
  const value = part.value.type === 'String' ? part.value.value : ident.decode(part.value.name)
  // Allow only exact matches: with substring matching, CSS could guess a value letter by letter.
  if (part.matcher !== '=' || part.flags !== null || !/^[\w-]{0,40}$/.test(value)) {
    return throwStyleError(part, 'Selectors can only compare an attribute with a whole word.')
  }
  return `[${name}="${value}"]`
}

function writePseudoClass(
  ident: CssIdentifierCodec,
  part: Extract<CssNode, { type: 'PseudoClassSelector' }>,
): string {
  const name = ident.decode(part.name).toLowerCase()
  const children = part.children as List<CssNode> | null // The type of `part` omits some kinds of children.
  if (children === null) {
    if (name === 'root')
      return throwStyleError(part, '“:root” reaches outside the booking page. Use :scope for the whole page.')
    if (name === 'scope') return throwStyleError(part, '“:scope” can only be at the start of a selector.')
    // These pseudo-elements have a single colon in their legacy syntax.
    if (['before', 'after', 'first-line', 'first-letter'].includes(name)) {
      return throwStyleError(part, `Write “::${name}” with two colons.`)
    }
    if (!ALLOWED_PSEUDO_CLASSES.has(name)) return throwStyleError(part, `“:${name}” isn’t allowed.`)
    return `:${name}`
  }
  const [child, ...others] = children.toArray()
  if (SELECTOR_LIST_PSEUDO_CLASSES.has(name) && child?.type === 'SelectorList' && others.length === 0) {
    return `:${name}(${writeInnerList(ident, child)})`
  }
  if (
    NTH_PSEUDO_CLASSES.has(name) &&
    child?.type === 'Nth' &&
    child.selector === null &&
    others.length === 0
  ) {
    return `:${name}(${writeNth(child)})`
  }
  return throwStyleError(part, `“:${name}()” isn’t allowed.`)
}

function writeInnerList(ident: CssIdentifierCodec, list: SelectorList): string {
  return list.children
    .toArray()
    .map((selector) => {
      if (selector.type !== 'Selector') return throwStyleError(selector, 'This selector isn’t valid.')
      const compound = selector.children.toArray()
      if (compound.some(({ type }) => type === 'Combinator' || type === 'PseudoElementSelector')) {
        return throwStyleError(selector, 'Inside brackets, a selector can only match one element.')
      }
      refuseLateElement(compound)
      return writeCompound(ident, compound)
    })
    .join(',')
}

function writeNth({ nth }: Extract<CssNode, { type: 'Nth' }>): string {
  if (nth.type === 'Identifier') {
    return nth.name === 'odd' || nth.name === 'even'
      ? nth.name
      : throwStyleError(nth, 'This count isn’t valid.')
  }
  const { a, b } = nth
  const isNumber = (text: string | null) => text === null || /^[+-]?\d{0,6}$/.test(text)
  if (!isNumber(a) || !isNumber(b)) return throwStyleError(nth, 'This count isn’t valid.')
  if (a === null) return b ?? '0'
  const offset = b === null || b === '0' ? '' : /^[+-]/.test(b) ? b : `+${b}`
  return `${a}n${offset}`
}
