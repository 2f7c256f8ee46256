import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/compiled')

/**
 * Enables Node's compile cache, which halves the CPU time of the next start. Only later imports are cached, so an entry
 * point calls this first and imports the rest dynamically. If no folder is writable, nothing is cached.
 */
export function cacheCompiledCode(): void {
  enableCompileCache(FOLDER)
}
