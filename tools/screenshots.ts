import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SCREENSHOTS_FOLDER_VARIABLE } from '#e2e/support/environment.ts'
import { runScript } from './check/run-script.ts'

/**
 * `npm run screenshots`: runs the journeys and saves a screenshot of each page that they check for accessibility, in
 * `screenshots/`. `npm run screenshots -- branding` runs the journeys with this word in their file name.
 */
process.chdir(join(import.meta.dirname, '..'))
const FOLDER = 'screenshots'

await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
const { ok } = await runScript(['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(2)], {
  live: true,
  env: { [SCREENSHOTS_FOLDER_VARIABLE]: FOLDER },
})
await writeFile(join(FOLDER, 'index.html'), buildIndex(await readdir(FOLDER)))
console.log(`\nLook through them: ${join(process.cwd(), FOLDER, 'index.html')}`)
process.exitCode = ok ? 0 : 1

/** Builds a page with all screenshots. The widths and themes of one screen are shown side by side. */
function buildIndex(files: readonly string[]): string {
  const screens = Map.groupBy(files.toSorted(), (file) => file.replace(/-\d+-(light|dark)\.png$/, ''))
  const sections = [...screens].map(([screen, pictures]) => {
    const images = pictures.map(
      (file) => `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`,
    )
    return `<h2>${screen}</h2>\n${images.join('\n')}`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screens of Meridian</title>
<style>
  body { margin: 2rem; font-family: system-ui, sans-serif; background: #ddd; }
  img { height: 30rem; vertical-align: top; border: 1px solid #999; }
</style>
<h1>Screens of Meridian</h1>
${sections.join('\n')}
</html>
`
}
