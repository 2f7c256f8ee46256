import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml } from '#server/platform/http/escape-html.ts'
import { type InlineElement, inlineElement } from '#server/platform/http/security.ts'
import { type HtmlPage, htmlPage } from '#server/platform/http/send-html.ts'
import type { StyledHtml } from './separate-styles.ts'

export type Entry = 'site' | 'booking' | 'app'

/** The HTML of an entry before anything is put into it. */
export type PageTemplate = {
  readonly html: string
  /** What the build put into the page, so that no request stands before the first paint. */
  readonly elements: readonly InlineElement[]
}

export type PageTemplates = (entry: Entry, url: string) => Promise<PageTemplate>

/** Elements with attributes are data, or ask for a file. */
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
    // A file that is not there now may be there next time.
    page.catch(() => pages.delete(entry))
    return page
  }
}

export type PageHead = {
  readonly title: string
  readonly description: string
  /** Absolute address for link previews; absent on pages that are nobody's business. */
  readonly url?: string
  readonly noIndex?: boolean
}

export type PageContent = {
  /** What the browser's script starts from. */
  readonly data?: { readonly id: string; readonly json: unknown } | undefined
  /** What can be read before it. */
  readonly body?: StyledHtml | undefined
}

/** Fills a template. Everything is escaped for where it stands; the body was by whoever drew it. */
export function renderPage(
  { html: template, elements }: PageTemplate,
  head: PageHead,
  { data, body }: PageContent = {},
): HtmlPage {
  const css = body?.css ?? ''
  const style = css === '' ? '' : `\n    <style>${css}</style>`
  const script = data === undefined ? '' : renderData(data.id, data.json)
  const html = template
    .replace('<!--page-head-->', () => renderHead(head) + style)
    .replace('<!--page-body-->', () => body?.html ?? '')
    .replace('<!--page-data-->', () => script)
  return htmlPage(html, css === '' ? elements : [...elements, inlineElement('style', css)])
}

/** 1200 by 630 pixels; drawn by tools/draw-images.ts. */
const PREVIEW_IMAGE = '/preview.png'

function renderHead({ title, description, url, noIndex }: PageHead): string {
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
          meta('property', 'og:image', new URL(PREVIEW_IMAGE, url).href),
          meta('name', 'twitter:card', 'summary_large_image'),
        ]),
  ].join('\n    ')
}

/** A data block: not executed, so the Content-Security-Policy lets it be. `<` cannot end it, as JSON may escape it. */
function renderData(id: string, json: unknown): string {
  const text = JSON.stringify(json)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `<script type="application/json" id="${id}">${text}</script>`
}
