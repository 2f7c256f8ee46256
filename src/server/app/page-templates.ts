import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logo } from '#contract/calendars/branding.ts'
import { WITHOUT_CUSTOM_CSS_PARAM } from '#contract/pages/page-data.ts'
import type { PageColors } from '#core/calendars/page-colors.ts'
import { type InlineElement, toInlineElement } from '#server/platform/http/inline-elements.ts'
import { escapeHtml } from '#server/platform/http/plain-page.ts'
import { type HtmlPage, toHtmlPage } from '#server/platform/http/send-html.ts'
import type { StyledHtml } from './separate-styles.ts'

export type PageEntry = 'site' | 'booking' | 'app'

/** The HTML template of an entry of the web build. */
type PageTemplate = {
  readonly html: string
  /** Inline elements that the build adds, so that the browser can show the page without further requests. */
  readonly elements: readonly InlineElement[]
}

export type PageTemplates = (entry: PageEntry, url: string) => Promise<PageTemplate>

/** Matches inline scripts and styles. An element with attributes is a data block or loads a file, so it does not match. */
const INLINE_ELEMENT = /<(script|style)>(.*?)<\/\1>/gs

export function toPageTemplate(html: string): PageTemplate {
  const elements = [...html.matchAll(INLINE_ELEMENT)].map(([, name, text = '']) =>
    toInlineElement(name === 'script' ? 'script' : 'style', text),
  )
  return { html, elements }
}

/** Returns the templates of the built pages, which are read once: a build never changes under a running server. */
export function buildPageTemplates(webDir: string): PageTemplates {
  const pages = new Map<PageEntry, Promise<PageTemplate>>()
  return (entry) => {
    const known = pages.get(entry)
    if (known !== undefined) return known
    const page = readFile(join(webDir, entry, 'index.html'), 'utf8').then(toPageTemplate)
    pages.set(entry, page)
    // Forget a failed read, so that the next request tries again: the file may exist by then.
    page.catch(() => pages.delete(entry))
    return page
  }
}

export type PageHead = {
  readonly title: string
  readonly description: string
  /** Absolute URL of the page for link previews; absent on private pages. */
  readonly url?: string
  readonly noIndex?: boolean
  /** True to omit the web app manifest: the product cannot be installed as an app from a calendar's host. */
  readonly isOnCalendarHost?: boolean
  /** Absolute URL of the preview image; defaults to the product's own. */
  readonly image?: string | undefined
  /** Theme colours of the whole document, including overlays. Source: rule K1. */
  readonly colors?: PageColors | undefined
  /** The logo, shown at the top once nothing is left to book. Source: rule K11. */
  readonly logo?: Pick<Logo, 'url' | 'height'> | null | undefined
  /** Path of the custom CSS. The page then has a link to its version without custom CSS. Source: rule K8. */
  readonly stylesheet?: string | null | undefined
}

const MANIFEST_LINK = /\s*<link rel="manifest"[^>]*>/

export type PageContent = {
  /** Initial data for the browser's script. */
  readonly data?: { readonly id: string; readonly json: unknown } | undefined
  /** Server-rendered content, which visitors can read before scripts run. */
  readonly body?: StyledHtml | undefined
  /** True when another website shows the page in a frame. */
  readonly isEmbedded?: boolean | undefined
  /** True when the address names a time or a type to choose. */
  readonly hasChoice?: boolean | undefined
  /** A sentence above the page. */
  readonly notice?: string | undefined
}

/**
 * Script for pages in a frame. It runs before the browser shows the page, so that the page matches the surrounding
 * website from the start (rule W20).
 */
const FRAME_SCRIPT = '  <script src="/embed-frame.js"></script>\n  '

/**
 * Script for booking pages whose address names a time or a type. It runs before the page's own scripts, so that the page
 * opens with that time or type chosen, and it costs other visitors nothing.
 */
const CHOSEN_TIME_SCRIPT = '  <script src="/chosen-time.js"></script>\n  '

/** Static HTML outside the React root, so that it needs no JavaScript. */
function renderNotice(text: string): string {
  return `<aside class="mx-auto mt-4 w-fit px-4"><p class="rounded-control bg-info-soft p-4 text-ink">${escapeHtml(text)}</p></aside>`
}

/** Fills a template. All values are escaped for their position; the body was escaped by its renderer. */
export function renderPage(
  { html: template, elements }: PageTemplate,
  head: PageHead,
  { data, body, isEmbedded, hasChoice, notice }: PageContent = {},
): HtmlPage {
  const css = writeBrandingStyles(head) + (body?.css ?? '')
  const style = css === '' ? '' : `\n    <style>${css}</style>`
  const script = data === undefined ? '' : renderData(data.id, data.json)
  const html = (head.isOnCalendarHost === true ? template.replace(MANIFEST_LINK, '') : template)
    .replace('<!--page-head-->', () => renderHead(head) + style)
    .replace('</head>', (end) => (isEmbedded ? `${FRAME_SCRIPT}${end}` : end))
    .replace('</head>', (end) => (hasChoice ? `${CHOSEN_TIME_SCRIPT}${end}` : end))
    .replace('<!--page-notice-->', () => (notice === undefined ? '' : renderNotice(notice)))
    .replace('<!--page-body-->', () => body?.html ?? '')
    .replace('<!--page-plain-->', () => (head.stylesheet ? PLAIN_LINK : ''))
    .replace('<!--page-data-->', () => script)
  return toHtmlPage(html, css === '' ? elements : [...elements, toInlineElement('style', css)])
}

/**
 * Writes the branding as custom properties of the document, because overlays are rendered outside the page's root
 * element. `html:root` has a higher specificity than the theme, whose rules come later. Logos are drawn for
 * high-resolution screens, so they are shown at half their size.
 */
function writeBrandingStyles({ colors, logo }: PageHead): string {
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

const PLAIN_LINK = `<a href="?${WITHOUT_CUSTOM_CSS_PARAM}" class="rounded-sm py-3 hover:underline">View without custom design</a>`

/** Path of the preview image, 1200 by 630 pixels; tools/draw-images.ts generates it. */
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
          // Use the small card for a page with its own image, because that image is a logo and small.
          meta('name', 'twitter:card', image === undefined ? 'summary_large_image' : 'summary'),
        ]),
    ...(stylesheet ? [`<link rel="stylesheet" href="${escapeHtml(stylesheet)}" />`] : []),
  ].join('\n    ')
}

/**
 * Writes an inert data block. Browsers do not execute the block, so the Content-Security-Policy allows it. `<` is
 * escaped, so the content cannot close the element.
 */
function renderData(id: string, json: unknown): string {
  const text = JSON.stringify(json)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `<script type="application/json" id="${id}">${text}</script>`
}
