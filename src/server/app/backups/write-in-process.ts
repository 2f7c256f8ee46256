import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { HOUR_MS } from '#core/shared/duration.ts'
import { BackupError } from '#server/platform/db/backup/backup-file.ts'

/** The copied database, the folder of the one that is thrown away, and where the backup goes. */
export type BackupRequest = {
  readonly copyDir: string
  readonly trialDir: string
  readonly path: string
  /** An instant. */
  readonly madeAt: string
  readonly secretKey: string | null
}

/** `error` is the reason why the backup was not written or cannot be restored. */
export type BackupResponse = { readonly rowCount: number; readonly error: string | null }

/** Maximum heap of the process, in MB. Its database has its own memory besides, about 150 MB. */
const MAX_HEAP_MB = 256
const MAX_DURATION_MS = 2 * HOUR_MS
const PROGRAM = join(import.meta.dirname, '../backup-process.ts')

/**
 * Writes a backup of a copied database in another process, which then tests it. The process gets no environment
 * variables, because they contain secrets, and ends with the product.
 * @returns the number of rows
 * @throws BackupError with the reason
 */
export async function writeInProcess(request: BackupRequest): Promise<number> {
  const child = fork(PROGRAM, {
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: MAX_DURATION_MS,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'exit')
  const answered = once(child, 'message')
  child.send(request)
  const first = await Promise.race([answered, ended.then(() => null)])
  if (first === null) {
    const [code, signal] = await ended
    throw new BackupError(`The process that makes backups ended with ${signal ?? code}.`)
  }
  const [{ rowCount, error }] = first as [BackupResponse] // The process sends nothing else.
  await ended
  if (error !== null) throw new BackupError(error)
  return rowCount
}
