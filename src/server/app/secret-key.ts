import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The key that signs sessions: from the settings, else one in the data directory, which is made on the first run and
 * readable by its owner only.
 */
export async function getSecretKey(config: {
  SECRET_KEY?: string | undefined
  DATA_DIR: string
}): Promise<string> {
  if (config.SECRET_KEY !== undefined) return config.SECRET_KEY
  const path = join(config.DATA_DIR, 'secret-key')
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  try {
    // Exclusive: of two processes that start together, one writes and both read.
    await writeFile(path, randomBytes(48).toString('base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return (await readFile(path, 'utf8')).trim()
}
