import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type IndexHtmlTransformContext, type Plugin } from 'vite'
import { embedScripts } from './tools/embed-scripts.ts'

const WEB = join(import.meta.dirname, 'src/web')
const ENTRIES = join(WEB, 'entries')

/**
 * Three entries: what a visitor, a customer and an owner download (docs/architecture.md "Web"). With `--ssr`, what the
 * server draws the public ones with: all in one file each, as the packages are not installed in production.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root: ENTRIES,
  publicDir: join(WEB, 'public'),
  plugins: [
    react(),
    tailwindcss(),
    inlineTheme(),
    inlineStyles(),
    scriptsAfterPaint(),
    embedScripts(),
    smallPreload(),
    withoutInfiniteQueries(),
    isSsrBuild !== true && compiledOnArrival(),
  ],
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // Data URIs would need `img-src data:` for every small icon; files are cached for a year anyway.
    assetsInlineLimit: 0,
    // Browsers without it (before 2023) only load a little later, and the booking page has no room for its stand-in.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A constant of another module is written out where it is used: a language or a limit costs no export and no import.
      optimization: { inlineConst: { mode: 'all' } },
      // Small chunks are put together: each costs a request and packs worse. In bytes before packing.
      ...(isSsrBuild !== true && {
        output: {
          // A shared chunk is called after all who share it, and each of them names it: a hundred bytes for nothing.
          chunkFileNames: ({ name }) =>
            name.startsWith('shared~') ? 'assets/shared-[hash].js' : 'assets/[name]-[hash].js',
          codeSplitting: {
            groups: [
              ...publicGroups(),
              { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000 },
            ],
          },
        },
      }),
      input: isSsrBuild
        ? { site: join(ENTRIES, 'site/render.tsx'), booking: join(ENTRIES, 'booking/render.tsx') }
        : {
            site: join(ENTRIES, 'site/index.html'),
            booking: join(ENTRIES, 'booking/index.html'),
            app: join(ENTRIES, 'app/index.html'),
          },
    },
  },
  ...(isSsrBuild === true && {
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
}))

/**
 * What the booking page shares with others when it opens are two chunks, the first of which the other public pages need, too:
 * however the owner's pages are taken apart, a customer who opens it downloads nothing else. What it shares only with parts that it
 * downloads later is in the second, too: a small chunk of its own is a request more. What only it needs stays with it. So do the
 * information pages with a third, and those who repeat an appointment with a fourth.
 */
function publicGroups() {
  let known: ReturnType<typeof reachOfEntries> | undefined
  const group = (
    name: string,
    priority: number,
    takes: (reach: NonNullable<typeof known>, id: string) => boolean,
  ) => ({
    // What a group takes, it takes with all that is imported there: what more pages need comes first.
    priority,
    debugName: name,
    name: (id: string, graph: Graph) => {
      known ??= reachOfEntries(graph)
      return takes(known, id) ? name : null
    },
  })
  return [
    group(
      'everywhere',
      3,
      ({ booking, site, others }, id) => booking.has(id) && others.has(id) && site.has(id),
    ),
    group(
      'booking-parts',
      2,
      ({ booking, bookingLater, others }, id) => booking.has(id) && (others.has(id) || bookingLater.has(id)),
    ),
    group(
      'information-parts',
      1,
      ({ information, site, app }, id) => information.has(id) && app.has(id) && !site.has(id),
    ),
    // Otherwise it is put together with what only owners share, and a customer who repeats an appointment downloads all of that.
    group('series-parts', 0, (_, id) => id.endsWith('/core/slots/series-rule.ts')),
  ]
}

/** Parts of TanStack Query that customers' code does not use. Its one index imports them all the same. */
const OWNERS_PARTS = /\/(mutationObserver|useMutation|queriesObserver|useQueries)\.js$/

function reachOfEntries(graph: Graph) {
  const reachIds = (ids: readonly string[], links: (info: Module) => readonly string[]) =>
    reachable(ids, (from) => {
      const info = graph.getModuleInfo(from)
      return info === null ? [] : links(info)
    })
  const reach = (starts: readonly string[], links: (info: Module) => readonly string[]) =>
    reachIds(
      starts.map((start) => join(WEB, start)),
      links,
    )
  const statically = ({ importedIds }: Module) => importedIds
  const anyhow = (info: Module) => [...info.importedIds, ...info.dynamicallyImportedIds]
  const booking = reach(['entries/booking/index.html'], (info) =>
    statically(info).filter((id) => !OWNERS_PARTS.test(id)),
  )
  return {
    booking,
    bookingLater: reachIds(
      [...booking].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []),
      statically,
    ),
    site: reach(['entries/site/index.html'], statically),
    information: reach(['areas/information/information-page.tsx'], statically),
    app: reach(['entries/app/index.html'], anyhow),
    others: reach(['entries/site/index.html', 'entries/app/index.html'], anyhow),
  }
}

type Module = { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] }
type Graph = { getModuleInfo(id: string): Module | null }

/** Everything that can be come to from `starts`, which it includes. */
function reachable(
  starts: readonly string[],
  next: (from: string) => readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    next(id).forEach(visit)
  }
  starts.forEach(visit)
  return found
}

/** Changes the pages of a build once everything else is in them. */
function onBuiltPages(
  name: string,
  change: (html: string, context: IndexHtmlTransformContext) => string | Promise<string>,
): Plugin {
  return { name, apply: 'build', transformIndexHtml: { order: 'post', handler: change } }
}

/** The same for those that the server draws: an owner opens page after page of the app, and keeps its styles as a file. */
function onDrawnPages(name: string, change: Parameters<typeof onBuiltPages>[1]): Plugin {
  return onBuiltPages(name, (html, context) =>
    context.path.startsWith('/app/') ? html : change(html, context),
  )
}

/** The styles are a part of the page, so that the first answer is all that a reader needs. */
function inlineStyles(): Plugin {
  return onDrawnPages('inline-styles', (html, { bundle }) =>
    html.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (_link, file: string) => {
      const styles = bundle?.[file]
      if (styles?.type !== 'asset') throw new Error(`${file} is not in the build`)
      return `<style>${String(styles.source).trim()}</style>`
    }),
  )
}

/**
 * Pages that the server draws can be read without their scripts, which are downloaded once the page is on the screen. A
 * page without content, and one that nobody looks at, waits for nothing.
 */
function scriptsAfterPaint(): Plugin {
  return onDrawnPages('scripts-after-paint', (html) => {
    const urls: string[] = []
    const rest = html.replace(
      /\s*<(?:script type="module"[^>]* src|link rel="modulepreload"[^>]* href)="([^"]+)">(?:<\/script>)?/g,
      (_element, url: string) => {
        urls.push(url)
        return ''
      },
    )
    return rest.replace('</body>', () => `  <script>${startAfterPaint(urls)}</script>\n  </body>`)
  })
}

/**
 * The first use of `Intl` in a browser's process makes V8 open every language that it knows, 25 to 70 ms on a desktop and
 * four times that on a phone, in one go. A worker does it while the scripts are on their way, and no tap waits for that. Without
 * workers, as some hardened browsers are, the page does it itself.
 */
const WARM_FORMATS = `try { new Worker('/warm-formats.js') } catch {}`

/**
 * The first address is the entry's; those of its imports follow. All are on their way at once, and run one by one: a
 * phone takes long over the largest, and answers a tap in between. The first button that is pressed before
 * is marked, and `mount.tsx` presses it again.
 */
function startAfterPaint([entry, ...imports]: readonly string[]): string {
  return `(() => {
const scripts = ${JSON.stringify([...imports, entry])}
const start = () => {
for (const href of scripts) setTimeout(() => document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href })))
setTimeout(run, 0, 0)
${WARM_FORMATS}
}
const run = (i) => import(scripts[i]).then(() => i + 1 < scripts.length && setTimeout(run, 0, i + 1))
const mark = (event) => {
const button = event.target.closest?.('button[type=button]')
if (!button) return
button.setAttribute('data-pressed', '')
removeEventListener('click', mark, true)
}
addEventListener('click', mark, true)
if (document.hidden || !document.getElementById('root').hasChildNodes()) start()
else requestAnimationFrame(() => setTimeout(start))
})()`
}

/**
 * Nearly all of what the public pages load runs while they become ready: V8 compiles it as it arrives, beside the page, and
 * not function by function when each is first called (V8, "Explicit compile hints").
 * The comment must come first, so last of all: minifying takes comments away, and Vite puts a line of its own before a banner.
 * The names' hashes do not count it, and need not: a cached file without it does the same.
 */
function compiledOnArrival(): Plugin {
  return {
    name: 'compiled-on-arrival',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = new Map(
          Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
        )
        const starts = [...chunks.values()].filter(({ isEntry, name }) => isEntry && name !== 'app')
        const needed = reachable(
          starts.map(({ fileName }) => fileName),
          (file) => chunks.get(file)?.imports ?? [],
        )
        for (const file of needed) {
          const chunk = chunks.get(file)
          if (chunk !== undefined) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
        }
      },
    },
  }
}

/**
 * Replaces Vite's code that runs before each `import()`. Vite's also waits for style sheets and reports errors, which costs the
 * booking page 700 bytes (gzip). Ours only starts the downloads of all needed files at once.
 */
function smallPreload(): Plugin {
  const code = `export const __vitePreload = (load, files = []) => {
  for (const file of files) {
    const href = '/' + file
    if (!document.querySelector('link[href="' + href + '"]'))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  }
  return load()
}`
  return {
    name: 'small-preload',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? code : null),
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && !file.isEntry && (file.viteMetadata?.importedCss.size ?? 0) > 0)
          throw new Error(`${file.fileName} is loaded without its style sheet`)
      }
    },
  }
}

/** TanStack Query's code for infinite queries, which no page uses, is not left out by itself: every query asks for it. */
function withoutInfiniteQueries(): Plugin {
  const code = 'export let infiniteQueryBehavior, hasNextPage, hasPreviousPage'
  return {
    name: 'without-infinite-queries',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (/\/query-core\/.*\/infiniteQueryBehavior\.js$/.test(id) ? code : null),
  }
}

/** What must run before the first paint is a part of the page: a request for it would hold up every page. */
function inlineTheme(): Plugin {
  return onBuiltPages('inline-theme', async (html) => {
    const source = await readFile(join(WEB, 'public/theme.js'), 'utf8')
    const code = source
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => !line.startsWith('//'))
      .join('\n')
    return html.replace('<script src="/theme.js"></script>', () => `<script>${code}</script>`)
  })
}
