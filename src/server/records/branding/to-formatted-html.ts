import { LRUCache } from 'lru-cache'
import type MarkdownItClass from 'markdown-it'

/**
 * How much is kept of texts with their HTML, in bytes, so that a busy booking page is formatted once. A text of a few sentences takes 2 kB.
 * One of 20,000 characters that are all links takes 400 kB, because each link becomes eight times as long.
 * Source: rule K12.
 */
const KEPT_BYTES = 4 * 1024 * 1024

type Formatter = InstanceType<typeof MarkdownItClass>
type Token = ReturnType<Formatter['parse']>[number]

const kept = new LRUCache<string, string>({
  maxSize: KEPT_BYTES,
  // V8 needs two bytes for a character of a text that has one beyond Latin-1.
  sizeCalculation: (html, text) => 2 * (text.length + html.length),
})
let loading: Promise<Formatter> | null = null

/**
 * A welcome message or a footer as HTML: paragraphs, bold and emphasised words, links and lists. What else was typed is
 * text, HTML among it. Links lead to web pages, mailboxes and telephones. Source: rule K5.
 */
export async function toFormattedHtml(text: string): Promise<string> {
  if (text === '') return ''
  const known = kept.get(text)
  if (known !== undefined) return known
  loading ??= loadFormatter()
  const html = (await loading).render(text).trim()
  kept.set(text, html)
  return html
}

/** Programs that follow links are told that these are not ours. The new tab knows nothing of this one. */
const LINK_ATTRIBUTES = { rel: 'noopener nofollow ugc', target: '_blank' }

async function loadFormatter(): Promise<Formatter> {
  const { default: MarkdownIt } = await import('markdown-it')
  // It knows nothing but text until rules are switched on. A line break stays one.
  const formatter = new MarkdownIt('zero', { html: false, breaks: true, linkify: true, maxNesting: 20 })
  formatter.enable(['newline', 'escape', 'list', 'emphasis', 'link', 'linkify', 'entity'])
  formatter.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  formatter.validateLink = (url) => /^(https?:\/\/|mailto:|tel:)/i.test(url.trim())
  formatter.core.ruler.push('mark_links', ({ tokens }) => {
    for (const { children } of tokens) if (children !== null) markLinks(children)
  })
  return formatter
}

/**
 * Gives each link its attributes. A link without an address, `[words]()`, would lead to the page itself: it stays as it
 * was typed. A link contains no other link, so the next end of a link belongs to it.
 */
function markLinks(tokens: Token[]): void {
  let hasAddress = true
  for (const token of tokens) {
    if (token.type === 'link_open') {
      hasAddress = token.attrGet('href') !== ''
      if (hasAddress) for (const [name, value] of Object.entries(LINK_ATTRIBUTES)) token.attrSet(name, value)
      else becomeText(token, '[')
    } else if (token.type === 'link_close' && !hasAddress) {
      becomeText(token, ']()')
    }
  }
}

function becomeText(token: Token, text: string): void {
  token.type = 'text'
  token.content = text
}
