import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Returns the measured commit, for the run's record, and notes when files differ from that commit. The records themselves are
 * ignored, because a run writes several.
 */
export async function readCommit(folder = ROOT): Promise<string> {
  try {
    const commit = await git(folder, 'rev-parse', '--short=10', 'HEAD')
    const changes = await git(folder, 'status', '--porcelain', '--', '.', ':(exclude)bench/results')
    return changes === '' ? commit : `${commit} with uncommitted changes`
  } catch {
    return 'unknown: not in a git repository'
  }
}

async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: folder })
  return stdout.trim()
}
