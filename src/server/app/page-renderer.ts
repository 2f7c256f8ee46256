import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RenderPage } from '#contract/page-data.ts'
import { type StyledHtml, separateStyles } from './separate-styles.ts'

/** The entries whose pages are HTML that can be read before a script runs. */
export type RenderedEntry = 'site' | 'booking'

/** Draws a page from its path and its first data alone. The time and the reader do not matter. */
export type PageRenderer = (entry: RenderedEntry, path: string, data: unknown) => Promise<StyledHtml>

/** How many drawn pages are kept. Each is 10 to 40 kB. */
const KEPT_PAGES = 200

/**
 * Draws with the built bundles in `webDir/server`, which are loaded when the first page is requested. A page is kept
 * while its data stays the same, so that a busy booking page is drawn once.
 */
export function builtRenderer(webDir: string): PageRenderer {
  const kept = new Map<string, StyledHtml>()
  return async (entry, path, data) => {
    const key = JSON.stringify([entry, path, data])
    const known = kept.get(key)
    if (known !== undefined) return known
    const bundle = pathToFileURL(join(webDir, 'server', `${entry}.js`)).href
    // Node loads a module once; every bundle exports `render` for the data of its own pages.
    const { render } = (await import(bundle)) as { render: RenderPage<unknown> }
    const page = separateStyles(render(path, data))
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= KEPT_PAGES) kept.delete(oldest)
    kept.set(key, page)
    return page
  }
}
