import { fork } from 'node:child_process'
import { on } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { HOUR_MS, SECOND_MS } from '#core/shared/duration.ts'
import { BackupError } from '#server/platform/db/backup/backup-file.ts'
import type { Database } from '#server/platform/db/database.ts'

/** The database's files, the folder of their copy, and where the backup goes. */
export type BackupRequest = {
  readonly filesDir: string
  readonly copyDir: string
  readonly path: string
  /** An instant. */
  readonly madeAt: string
  readonly secretKey: string | null
}

/**
 * What the process sends when it is ready to copy the database, when it has copied it, and in the end, then with the number
 * of rows. `error` is the reason why it gives up instead.
 */
export type BackupProgress = { readonly rowCount: number; readonly error: string | null }

/** Maximum heap of the process, in MB. Its database has its own memory besides, about 150 MB. */
const MAX_HEAP_MB = 256
const MAX_DURATION_MS = 2 * HOUR_MS
/** How long requests wait at most. After 30 seconds without a connection they would be refused. */
const MAX_PAUSE_MS = 20 * SECOND_MS
const PROGRAM = join(import.meta.dirname, '../backup-process.ts')

/**
 * Writes a backup of a database in another process, which copies it while it is paused, and tests the backup. The process
 * gets no environment variables, because they contain secrets, and ends with the product.
 * @returns the number of rows
 * @throws BackupError with the reason
 */
export async function writeInProcess(
  request: BackupRequest,
  database: Pick<Database, 'pause'>,
  maxPauseMs = MAX_PAUSE_MS,
): Promise<number> {
  const child = fork(PROGRAM, {
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: MAX_DURATION_MS,
    killSignal: 'SIGKILL',
  })
  const messages = on(child, 'message', { close: ['disconnect'] }) // That follows the last message.
  const receive = async (): Promise<BackupProgress> => {
    const { done, value } = await messages.next()
    if (done === true) throw new BackupError('The process that makes backups ended early.')
    const [progress] = value as [BackupProgress] // The process sends nothing else.
    if (progress.error !== null) throw new BackupError(progress.error)
    return progress
  }
  // Errors are ignored here: if the process ends before everything is sent, `receive` reports it.
  const send = (message: BackupRequest | 'copy') => child.send(message, () => {})
  try {
    send(request)
    await receive()
    await database.pause(async () => {
      send('copy')
      await Promise.race([receive(), refuseAfter(maxPauseMs)])
    })
    return (await receive()).rowCount
  } finally {
    child.kill('SIGKILL')
  }
}

async function refuseAfter(durationMs: number): Promise<never> {
  await setTimeout(durationMs, null, { ref: false })
  throw new BackupError(`Copying the database took longer than ${durationMs / SECOND_MS} seconds.`)
}
