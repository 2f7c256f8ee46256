import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runScript } from './check/run-script.ts'
import { buildGallery } from './screenshots/gallery.ts'

/**
 * `npm run screenshots`: a picture of every screen in every state, light and dark, wide and narrow and from right to
 * left, in `screenshots/`. Fails where a screen shows an error, complains in the console, scrolls sideways or is not
 * accessible. `npm run screenshots -- settings` takes those only whose name has the word.
 */
process.chdir(join(import.meta.dirname, '..'))
const FOLDER = 'screenshots'
const CONFIG = 'e2e/screens/screens.config.ts'
const words = process.argv.slice(2)

// What a screen was called before, or how it looked, would otherwise stay among the new ones.
if (words.length === 0) await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
const only = words.length === 0 ? [] : ['--grep', words.join('|')]
const { ok } = await runScript(
  ['node_modules/@playwright/test/cli.js', 'test', '--config', CONFIG, ...only],
  {
    live: true,
  },
)
await writeFile(join(FOLDER, 'index.html'), buildGallery(await readdir(FOLDER)))
console.log(`\nLook through them: ${join(process.cwd(), FOLDER, 'index.html')}`)
process.exitCode = ok ? 0 : 1
