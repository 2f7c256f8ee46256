import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const WEB = join(import.meta.dirname, 'src/web')

/**
 * Three entries: what a visitor, a customer and an owner download (docs/architecture.md "Web"). With `--ssr`, what the
 * server draws the public ones with: all in one file each, as the packages are not installed in production.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root: WEB,
  publicDir: 'public',
  plugins: [react(), tailwindcss(), inlineTheme(), stylesFirst()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // Data URIs would need `img-src data:` for every small icon; files are cached for a year anyway.
    assetsInlineLimit: 0,
    // Browsers without it (before 2023) only load a little later, and the booking page has no room for its stand-in.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Small chunks are put together: each costs a request and packs worse. In bytes before packing.
      ...(isSsrBuild !== true && {
        output: {
          codeSplitting: {
            groups: [
              { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000 },
            ],
          },
        },
      }),
      input: isSsrBuild
        ? { site: join(WEB, 'site/render.tsx'), booking: join(WEB, 'booking/render.tsx') }
        : {
            site: join(WEB, 'site/index.html'),
            booking: join(WEB, 'booking/index.html'),
            app: join(WEB, 'app/index.html'),
          },
    },
  },
  ...(isSsrBuild === true && {
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
}))

/** Pages that the server draws can be read without their scripts, which therefore leave the line to the styles. */
function stylesFirst(): Plugin {
  const low = (html: string) =>
    html.replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
  return {
    name: 'styles-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path }) => (path.startsWith('/app/') ? html : low(html)),
    },
  }
}

/** What must run before the first paint is a part of the page: a request for it would hold up every page. */
function inlineTheme(): Plugin {
  return {
    name: 'inline-theme',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: async (html) => {
        const source = await readFile(join(WEB, 'public/theme.js'), 'utf8')
        const code = source
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => !line.startsWith('//'))
          .join('\n')
        return html.replace('<script src="/theme.js"></script>', () => `<script>${code}</script>`)
      },
    },
  }
}
