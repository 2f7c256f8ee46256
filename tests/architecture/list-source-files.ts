import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './run-tool.ts'
import type { SourceFile } from './source-rules.ts'

/** Reads every TypeScript file of `src`, including tests, with its path from the project's root. */
export async function listSourceFiles(): Promise<SourceFile[]> {
  const paths = await readdir(join(ROOT, 'src'), { recursive: true })
  const files = paths
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  return Promise.all(files.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })))
}
