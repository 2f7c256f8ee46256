import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { RenderPageOnServer } from '#contract/pages/page-data.ts'
import { type StyledHtml, separateStyles } from './separate-styles.ts'

/** Entries of the web build whose pages are rendered on the server. */
export type RenderedEntry = 'site' | 'booking'

/** Renders a page only from its path and initial data, so the result does not depend on the time or the visitor. */
export type PageRenderer = (entry: RenderedEntry, path: string, data: unknown) => Promise<StyledHtml>

/**
 * Maximum size of the cache of rendered pages, in bytes. It holds 150 typical booking pages, or ten with the longest
 * texts (700,000 characters each). Source: rule K12.
 */
const KEPT_BYTES = 48 * 1024 * 1024
/** Bytes per character of a text: V8 uses two bytes per character when a text contains any character beyond Latin-1. */
const BYTES_PER_CHARACTER = 2
/** Length of the inline styles and scripts around a rendered page, in characters. */
const AROUND_LENGTH = 50_000

/**
 * Returns the memory use of a cached page in bytes. It consists of the page's data (the key) and HTML, and of two
 * complete pages that `pages.ts` builds from them: one for normal display and one for frames.
 */
function toKeptBytes({ html, css }: StyledHtml, key: string): number {
  const drawn = key.length + html.length + css.length
  return BYTES_PER_CHARACTER * (drawn + 2 * (drawn + AROUND_LENGTH))
}

/**
 * Builds a renderer that uses the bundles in `webDir/server`, which are loaded on the first request. A page is cached
 * while its data stay the same, so a busy booking page is rendered once.
 */
export function buildPageRenderer(webDir: string): PageRenderer {
  const kept = new LRUCache<string, StyledHtml>({ maxSize: KEPT_BYTES, sizeCalculation: toKeptBytes })
  return async (entry, path, data) => {
    const key = JSON.stringify([entry, path, data])
    const known = kept.get(key)
    if (known !== undefined) return known
    const bundle = pathToFileURL(join(webDir, 'server', `${entry}.js`)).href
    // Node caches imported modules, so this loads each bundle once. Every bundle exports `render` for its own pages'
    // data.
    const { render } = (await import(bundle)) as { render: RenderPageOnServer<unknown> }
    const page = separateStyles(render(path, data))
    kept.set(key, page)
    return page
  }
}
