import type * as CssTree from 'css-tree'
import type { Atrule, CssNode, Rule, StyleSheet, SyntaxParseError } from 'css-tree'
import type { RefusedCss } from '#contract/calendars/branding.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  ANIMATION_PREFIX,
  type CssWriterContext,
  type RewrittenDeclaration,
  rewriteDeclaration,
} from './rewrite-declaration.ts'
import { rewriteSelector, type ScopedSelector } from './rewrite-selector.ts'
import { ALLOWED_AT_RULES, StyleError, throwStyleError } from './style-rules.ts'

/**
 * The owner's custom CSS, rewritten for the booking page, and its refused parts. The CSS is empty if anything was
 * refused.
 */
export type CheckedCss = { readonly css: string; readonly refused: readonly RefusedCss[] }

/** Maximum number of reported refusals. In a file with more, reading on is not worthwhile. */
const MAX_REFUSED = 50
/** Maximum size of the rewritten CSS, in bytes: the limit of a stored file (`branding_files.content`). */
const MAX_WRITTEN_BYTES = 256 * 1024
/**
 * The beginning and end of the rewritten CSS. The layer `look` comes after the product's layers, whose order is
 * declared again because this file may load first.
 */
const [START, END] = ['@layer theme,base,components,utilities,look;@layer look{', '}']
/** Maximum nesting of brackets. */
const MAX_DEPTH = 12
const NAME = /^[a-z_][\w-]{0,60}$/i
/** Matches a condition of `@media` or `@supports` that contains only names, numbers and brackets. */
const CONDITION = /^[\w\s:(),.<>=%/+-]{1,300}$/

/**
 * Checks custom CSS and rewrites it. Escapes are decoded before any lookup, only allow-listed parts are written, and
 * each selector is confined to the page and kept off its protected parts. No input text is copied unchanged. Source:
 * rules K6, K7 and K8.
 */
export async function checkCustomCss(text: string): Promise<CheckedCss> {
  if (text.trim() === '') return { css: '', refused: [] }
  if (text.length > LIMITS.customCss || Buffer.byteLength(text) > LIMITS.customCss) {
    return { css: '', refused: [{ line: 1, message: 'Custom CSS can have at most 32 kB.' }] }
  }
  // Load the parser on demand: few owners write CSS, and the parser takes 26 MB of memory.
  const tree = await import('css-tree')
  const collected = new Refusals()
  const sheet = collected.guard(() => {
    refuseUnbalanced(tree, text)
    return parse(tree, text)
  })
  const written = sheet?.type === 'StyleSheet' ? writeSheet(tree, text, sheet, collected) : []
  const refused = collected.list()
  if (refused.length > 0 || written.length === 0) return { css: '', refused }
  return { css: START + written.join('') + END, refused }
}

/** The context for writing one style sheet. */
type Sheet = CssWriterContext & { readonly source: string; readonly length: WrittenLength }

/**
 * Adds up the size of the rewritten CSS. It can be much longer than the input: a one-letter selector becomes 60 to 80
 * characters, once or twice.
 */
class WrittenLength {
  #bytes = START.length + END.length
  #isOver = false

  /** @throws StyleError once, at the rule that exceeds the limit */
  add(node: CssNode, texts: readonly string[]): void {
    for (const text of texts) this.#bytes += Buffer.byteLength(text)
    if (this.#isOver || this.#bytes <= MAX_WRITTEN_BYTES) return
    this.#isOver = true
    throwStyleError(
      node,
      'Custom CSS can have at most 256 kB once it is written for the page, and this is too much. Each selector becomes up to 80 characters longer, so please use fewer.',
    )
  }
}

/** Collects refusals, so that checking continues after each one. */
class Refusals {
  readonly #found: RefusedCss[] = []

  /** Returns the result of `work`, or undefined when it was refused. */
  guard<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof StyleError)) throw error
      this.#found.push({ line: error.line, message: error.message })
      return undefined
    }
  }

  list(): RefusedCss[] {
    const sorted = this.#found.toSorted((a, b) => a.line - b.line)
    return sorted.slice(0, MAX_REFUSED)
  }
}

/** The token types that open brackets, and below those that close them, by their names in CSS Syntax. */
const OPENING = new Set(['function-token', '(-token', '[-token', '{-token'])
const CLOSING = new Set([')-token', ']-token', '}-token'])
const BROKEN = new Set(['bad-string-token', 'bad-url-token', 'CDO-token', 'CDC-token'])

/**
 * Refuses unbalanced CSS.
 * @throws StyleError when a bracket or a quote is not closed, or brackets are nested too deeply
 */
function refuseUnbalanced({ tokenize, tokenNames }: typeof CssTree, text: string): void {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  let depth = 0
  let openedAt = 0
  tokenize(text, (type, start) => {
    const name = tokenNames[type] ?? ''
    if (BROKEN.has(name)) throw new StyleError(lineAt(start), 'A quote or a bracket is not closed here.')
    if (OPENING.has(name)) {
      if (depth === 0) openedAt = start
      depth += 1
    }
    if (CLOSING.has(name)) depth -= 1
    if (depth < 0) throw new StyleError(lineAt(start), 'A bracket is closed here that was not opened.')
    if (depth > MAX_DEPTH) throw new StyleError(lineAt(start), 'Brackets are too deep within each other.')
  })
  if (depth > 0) throw new StyleError(lineAt(openedAt), 'A bracket is opened here and not closed.')
}

function writeSheet(
  tree: typeof CssTree,
  text: string,
  { children }: StyleSheet,
  refusals: Refusals,
): string[] {
  const nodes = children.toArray()
  const names: Sheet = {
    source: text,
    ident: tree.ident,
    encodeText: (quoted) => tree.string.encode(quoted),
    animations: listAnimations(tree, nodes),
    length: new WrittenLength(),
  }
  return writeNodes(names, nodes, refusals)
}

/**
 * @throws StyleError after `MAX_REFUSED` errors: the parser is slow on each error, because it splits the whole text
 * into lines
 */
function parse({ parse: parseCss }: typeof CssTree, text: string): CssNode {
  let errors = 0
  const onParseError = ({ line }: SyntaxParseError) => {
    errors += 1
    if (errors > MAX_REFUSED)
      throw new StyleError(line, `More than ${MAX_REFUSED} parts up to here aren’t valid CSS.`)
  }
  return parseCss(text, { positions: true, parseCustomProperty: true, onParseError })
}

function writeNodes(names: Sheet, nodes: readonly CssNode[], refusals: Refusals): string[] {
  return nodes.flatMap((node) => {
    const written: string[] = []
    refusals.guard(() => {
      if (node.type === 'Rule') written.push(...writeRule(names, node, refusals))
      else if (node.type === 'Atrule') written.push(...writeAtRule(names, node, refusals))
      else if (node.type !== 'Comment') throwStyleError(node, 'This isn’t valid CSS.')
    })
    return written
  })
}

function writeRule(names: Sheet, rule: Rule, refusals: Refusals): string[] {
  const { prelude } = rule
  if (prelude.type !== 'SelectorList') return throwStyleError(rule, 'This selector isn’t valid.')
  const selectors: ScopedSelector[] = []
  for (const selector of prelude.children.toArray()) {
    refusals.guard(() => {
      if (selector.type !== 'Selector') return throwStyleError(selector, 'This selector isn’t valid.')
      selectors.push(rewriteSelector(names.ident, selector))
    })
  }
  const declarations = writeDeclarations(names, rule, refusals)
  const surrounding = declarations.filter((one) => one.isSurrounding)
  const written = [
    ...writeBlock(
      selectors.map((one) => one.surrounding),
      surrounding,
    ),
    // Repeat the declarations from above, so that all of them keep the order in which they were written.
    ...(surrounding.length === declarations.length
      ? []
      : writeBlock(
          selectors.map((one) => one.other),
          declarations,
        )),
  ]
  names.length.add(rule, written)
  return written
}

function writeBlock(selectors: readonly string[], declarations: readonly RewrittenDeclaration[]): string[] {
  if (selectors.length === 0 || declarations.length === 0) return []
  return [`${selectors.join(',')}{${declarations.map(({ text }) => text).join(';')}}`]
}

function writeDeclarations(names: Sheet, { block }: Rule, refusals: Refusals): RewrittenDeclaration[] {
  const written: RewrittenDeclaration[] = []
  for (const node of block.children.toArray()) {
    refusals.guard(() => {
      if (node.type === 'Declaration') written.push(rewriteDeclaration(names, node))
      else if (node.type === 'Rule' || node.type === 'Atrule') throwStyleError(node, 'Rules can’t be nested.')
      else if (node.type !== 'Comment') throwStyleError(node, 'This isn’t valid CSS.')
    })
  }
  return written
}

function writeAtRule(names: Sheet, rule: Atrule, refusals: Refusals): string[] {
  const name = names.ident.decode(rule.name).toLowerCase()
  if (!ALLOWED_AT_RULES.has(name)) return throwStyleError(rule, `“@${name.slice(0, 40)}” isn’t allowed.`)
  if (rule.block === null) return throwStyleError(rule, `“@${name}” needs a block.`)
  if (name === 'keyframes') return [writeKeyframes(names, rule, refusals)]
  const condition = toCondition(names, rule)
  const inner = writeNodes(names, rule.block.children.toArray(), refusals)
  if (inner.length === 0) return []
  names.length.add(rule, [`@${name} ${condition}{}`])
  return [`@${name} ${condition}{${inner.join('')}}`]
}

/** Returns the condition as it was written, if it consists only of names, numbers and closed brackets. */
function toCondition({ source }: Sheet, rule: Atrule): string {
  const { loc } = rule.prelude ?? {}
  const text = loc ? source.slice(loc.start.offset, loc.end.offset) : ''
  return CONDITION.test(text) && !/url|selector|font-/i.test(text)
    ? text.trim().replace(/\s+/g, ' ')
    : throwStyleError(rule, 'This condition isn’t allowed.')
}

function listAnimations({ ident }: typeof CssTree, nodes: readonly CssNode[]): ReadonlySet<string> {
  const rules = nodes.filter((node): node is Atrule => node.type === 'Atrule')
  return new Set(rules.map((rule) => findAnimation(ident, rule)).filter((name) => name !== null))
}

function findAnimation(ident: CssWriterContext['ident'], rule: Atrule): string | null {
  const [first, ...others] = rule.prelude?.type === 'AtrulePrelude' ? rule.prelude.children.toArray() : []
  const name = first?.type === 'Identifier' ? ident.decode(first.name) : ''
  return others.length === 0 && NAME.test(name) ? name : null
}

function writeKeyframes(names: Sheet, rule: Atrule, refusals: Refusals): string {
  const name = findAnimation(names.ident, rule)
  if (name === null) return throwStyleError(rule, 'An animation needs a name of letters, digits and dashes.')
  const frames = rule.block?.children.toArray() ?? []
  const written = frames.flatMap((frame) => {
    const text: string[] = []
    refusals.guard(() => {
      if (frame.type !== 'Rule') return throwStyleError(frame, 'This isn’t valid CSS.')
      const declarations = writeDeclarations(names, frame, refusals)
      text.push(`${toFrameSelector(frame)}{${declarations.map((one) => one.text).join(';')}}`)
    })
    return text
  })
  const text = `@keyframes ${ANIMATION_PREFIX}${name}{${written.join('')}}`
  names.length.add(rule, [text])
  return text
}

function toFrameSelector(frame: Rule): string {
  const selectors = frame.prelude.type === 'SelectorList' ? frame.prelude.children.toArray() : []
  const texts = selectors.map((selector) => {
    const [only, ...others] = selector.type === 'Selector' ? selector.children.toArray() : []
    if (others.length > 0) return null
    if (only?.type === 'Percentage' && /^[\d.]{1,8}$/.test(only.value)) return `${only.value}%`
    return only?.type === 'TypeSelector' && /^(from|to)$/i.test(only.name) ? only.name.toLowerCase() : null
  })
  if (texts.length === 0 || texts.includes(null))
    throwStyleError(frame, 'A step of an animation is from, to or a percentage.')
  return texts.join(',')
}
