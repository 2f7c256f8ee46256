import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logo } from '#contract/branding.ts'
import { PLAIN } from '#contract/page-data.ts'
import type { PageColors } from '#core/publishing/page-colors.ts'
import { escapeHtml } from '#server/platform/http/escape-html.ts'
import { type InlineElement, inlineElement } from '#server/platform/http/security.ts'
import { type HtmlPage, htmlPage } from '#server/platform/http/send-html.ts'
import type { StyledHtml } from './separate-styles.ts'

export type Entry = 'site' | 'booking' | 'app'

/** The HTML of an entry before it is filled. */
export type PageTemplate = {
  readonly html: string
  /** What the build puts into the page, so that no request comes before the first paint. */
  readonly elements: readonly InlineElement[]
}

export type PageTemplates = (entry: Entry, url: string) => Promise<PageTemplate>

/** Elements with attributes are data, or load a file. */
const INLINE_ELEMENT = /<(script|style)>(.*?)<\/\1>/gs

export function pageTemplate(html: string): PageTemplate {
  const elements = [...html.matchAll(INLINE_ELEMENT)].map(([, name, text = '']) =>
    inlineElement(name === 'script' ? 'script' : 'style', text),
  )
  return { html, elements }
}

/** The built pages. Read once: a build never changes under a running server. */
export function builtPages(webDir: string): PageTemplates {
  const pages = new Map<Entry, Promise<PageTemplate>>()
  return (entry) => {
    const known = pages.get(entry)
    if (known !== undefined) return known
    const page = readFile(join(webDir, entry, 'index.html'), 'utf8').then(pageTemplate)
    pages.set(entry, page)
    // A missing file may be there next time.
    page.catch(() => pages.delete(entry))
    return page
  }
}

export type PageHead = {
  readonly title: string
  readonly description: string
  /** The absolute address for link previews; absent on private pages. */
  readonly url?: string
  readonly noIndex?: boolean
  /** The product cannot be installed as an app from somebody else's host. */
  readonly isOnCalendarHost?: boolean
  /** Absolute address of the image for link previews; the product's own where there is none. */
  readonly image?: string | undefined
  /** The colours of the whole page, what opens over it included. Source: rule K1. */
  readonly colors?: PageColors | undefined
  /** Stands at the top once nothing is left to book. Source: rule K11. */
  readonly logo?: Pick<Logo, 'url' | 'height'> | null | undefined
  /** Path of custom CSS. A link then leads to the page without it. Source: rule K8. */
  readonly stylesheet?: string | null | undefined
}

const MANIFEST_LINK = /\s*<link rel="manifest"[^>]*>/

export type PageContent = {
  /** The data that the browser's script starts from. */
  readonly data?: { readonly id: string; readonly json: unknown } | undefined
  /** The text that can be read before the script runs. */
  readonly body?: StyledHtml | undefined
  /** A page of another site shows the page in a frame. */
  readonly isEmbedded?: boolean | undefined
}

/** Runs before the first paint, so that the page has the look of the page around it from the start (rule W20). */
const FRAME_SCRIPT = '  <script src="/embed-frame.js"></script>\n  '

/** Fills a template. Everything is escaped for its position; the body was escaped by its renderer. */
export function renderPage(
  { html: template, elements }: PageTemplate,
  head: PageHead,
  { data, body, isEmbedded }: PageContent = {},
): HtmlPage {
  const css = writeLook(head) + (body?.css ?? '')
  const style = css === '' ? '' : `\n    <style>${css}</style>`
  const script = data === undefined ? '' : renderData(data.id, data.json)
  const html = (head.isOnCalendarHost === true ? template.replace(MANIFEST_LINK, '') : template)
    .replace('<!--page-head-->', () => renderHead(head) + style)
    .replace('</head>', (end) => (isEmbedded ? `${FRAME_SCRIPT}${end}` : end))
    .replace('<!--page-body-->', () => body?.html ?? '')
    .replace('<!--page-plain-->', () => (head.stylesheet ? PLAIN_LINK : ''))
    .replace('<!--page-data-->', () => script)
  return htmlPage(html, css === '' ? elements : [...elements, inlineElement('style', css)])
}

/**
 * The look as custom properties of the document. What opens over a page is rendered beside it and has them, too. `html:root` is
 * stronger than the theme, whose rules follow. A logo is drawn for sharp screens, so it is shown at half its size.
 */
function writeLook({ colors, logo }: PageHead): string {
  const properties = {
    ...colors,
    ...(logo && {
      '--letterhead': `image-set(url("${logo.url}") 2x) / ""`,
      '--letterhead-height': `${logo.height / 2}px`,
    }),
  }
  const text = Object.entries(properties).map(([name, value]) => `${name}:${value}`)
  return text.length === 0 ? '' : `html:root{${text.join(';')}}`
}

const PLAIN_LINK = `<a href="?${PLAIN}" class="rounded-sm py-3 hover:underline">Page without its own design</a>`

/** 1200 by 630 pixels; drawn by tools/draw-images.ts. */
const PREVIEW_IMAGE = '/preview.png'

function renderHead({ title, description, url, noIndex, image, stylesheet }: PageHead): string {
  const meta = (attribute: 'name' | 'property', key: string, content: string) =>
    `<meta ${attribute}="${key}" content="${escapeHtml(content)}" />`
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    ...(noIndex === true ? [meta('name', 'robots', 'noindex')] : []),
    ...(url === undefined
      ? []
      : [
          `<link rel="canonical" href="${escapeHtml(url)}" />`,
          meta('property', 'og:type', 'website'),
          meta('property', 'og:title', title),
          meta('property', 'og:description', description),
          meta('property', 'og:url', url),
          meta('property', 'og:site_name', 'Meridian'),
          meta('property', 'og:image', image ?? new URL(PREVIEW_IMAGE, url).href),
          // A logo is small.
          meta('name', 'twitter:card', image === undefined ? 'summary_large_image' : 'summary'),
        ]),
    ...(stylesheet ? [`<link rel="stylesheet" href="${escapeHtml(stylesheet)}" />`] : []),
  ].join('\n    ')
}

/**
 * A data block. Browsers do not execute it, so the Content-Security-Policy allows it. `<` cannot end it, because JSON
 * may escape it.
 */
function renderData(id: string, json: unknown): string {
  const text = JSON.stringify(json)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `<script type="application/json" id="${id}">${text}</script>`
}
