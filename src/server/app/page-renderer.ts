import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { RenderPage } from '#contract/page-data.ts'
import { type StyledHtml, separateStyles } from './separate-styles.ts'

/** The entries whose pages are HTML that can be read before a script runs. */
export type RenderedEntry = 'site' | 'booking'

/** Draws a page from its path and its first data alone. The time and the reader do not matter. */
export type PageRenderer = (entry: RenderedEntry, path: string, data: unknown) => Promise<StyledHtml>

/**
 * How much is kept of drawn pages and of what is made of them, in bytes: 150 booking pages as most are, or ten with the longest texts, which
 * have 700,000 characters each. Source: rule K12.
 */
const KEPT_BYTES = 48 * 1024 * 1024
/** What V8 needs for a character of a text that has one beyond Latin-1. */
const BYTES_PER_CHARACTER = 2
/** The styles and scripts around a drawn page, in characters. They are in the page, so that it needs no other file to be read. */
const AROUND_LENGTH = 50_000

/**
 * What a drawn page keeps in memory, in bytes: its data as the key and its HTML, and both again in the page that `pages.ts` makes of
 * it, for itself and for frames.
 */
function toKeptBytes({ html, css }: StyledHtml, key: string): number {
  const drawn = key.length + html.length + css.length
  return BYTES_PER_CHARACTER * (drawn + 2 * (drawn + AROUND_LENGTH))
}

/**
 * Draws with the built bundles in `webDir/server`, which are loaded when the first page is requested. A page is kept
 * while its data stays the same, so that a busy booking page is drawn once.
 */
export function builtRenderer(webDir: string): PageRenderer {
  const kept = new LRUCache<string, StyledHtml>({ maxSize: KEPT_BYTES, sizeCalculation: toKeptBytes })
  return async (entry, path, data) => {
    const key = JSON.stringify([entry, path, data])
    const known = kept.get(key)
    if (known !== undefined) return known
    const bundle = pathToFileURL(join(webDir, 'server', `${entry}.js`)).href
    // Node loads a module once; every bundle exports `render` for the data of its own pages.
    const { render } = (await import(bundle)) as { render: RenderPage<unknown> }
    const page = separateStyles(render(path, data))
    kept.set(key, page)
    return page
  }
}
