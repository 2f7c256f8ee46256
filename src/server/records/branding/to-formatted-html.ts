import { LRUCache } from 'lru-cache'
import type MarkdownItClass from 'markdown-it'

/**
 * Maximum size of the cache of formatted texts, in bytes. With the cache, a busy booking page formats each text once. A
 * text of a few sentences takes 2 kB. A text of 20,000 characters that are all links takes 400 kB, because each link
 * grows eightfold. Source: rule K12.
 */
const KEPT_BYTES = 4 * 1024 * 1024

type Formatter = InstanceType<typeof MarkdownItClass>
type Token = ReturnType<Formatter['parse']>[number]

const kept = new LRUCache<string, string>({
  maxSize: KEPT_BYTES,
  // V8 stores a string that has any character beyond Latin-1 with two bytes per character.
  sizeCalculation: (html, text) => 2 * (text.length + html.length),
})
let loading: Promise<Formatter> | null = null

/**
 * Renders a welcome message or a footer as HTML: paragraphs, bold and emphasized words, links and lists. Everything
 * else, including HTML, is shown as text. Links may lead to web pages, mailboxes and phone numbers. Source: rule K5.
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

/**
 * The attributes of links. They tell crawlers that the links are user content, and keep the new tab from accessing this
 * one.
 */
const LINK_ATTRIBUTES = { rel: 'noopener nofollow ugc', target: '_blank' }

async function loadFormatter(): Promise<Formatter> {
  const { default: MarkdownIt } = await import('markdown-it')
  // The formatter for the texts. Its `zero` preset disables all rules; only those below are enabled. `breaks` keeps
  // line breaks.
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
 * Adds the attributes to each link. A link without a target, `[words]()`, would lead to the page itself, so it is shown
 * as the owner typed it. Links cannot be nested, so the next closing token belongs to the same link.
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
