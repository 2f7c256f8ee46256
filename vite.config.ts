import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Three entries: what a visitor, a customer and an owner download (docs/architecture.md "Web"). */
export default defineConfig({
  root: 'src/web',
  publicDir: 'public',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    // Data URIs would need `img-src data:` for every small icon; files are cached for a year anyway.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        site: 'src/web/site/index.html',
        booking: 'src/web/booking/index.html',
        app: 'src/web/app/index.html',
      },
    },
  },
})
