import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'

/** A backup cannot be written or restored; the message states the reason. */
export class BackupError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BackupError'
  }
}

/**
 * The first line's version of the backup format. A backup is a gzip file of lines: a header, then for each table one
 * line with its name and one line of JSON per row as written by PostgreSQL, and a footer with the number of rows.
 * Header, table and footer lines begin with #.
 */
export const BACKUP_FORMAT = 'meridian-backup-1'

const NAME = z.string().min(1).max(200)
const headSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  madeAt: z.iso.datetime(),
  migrations: z.array(NAME).max(10_000),
  jobsVersion: z.number().int().min(0),
  /** The SECRET_KEY from the data directory; null when the key comes from the settings. */
  secretKey: z.string().min(1).max(1_000).nullable(),
})
const tableSchema = z.object({ table: NAME, columns: z.array(NAME).max(1_600) })
const footSchema = z.object({ rowCount: z.number().int().min(0) })

export type BackupHeader = z.infer<typeof headSchema>
export type BackupPart =
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'row'; readonly json: string }

/** Formats a header, table or footer line. */
export function toBackupLine(
  line: BackupHeader | z.infer<typeof tableSchema> | z.infer<typeof footSchema>,
): string {
  return `#${JSON.stringify(line)}\n`
}

/**
 * Formats a row. `json` columns keep their formatting, so line breaks in them are replaced; outside strings they mean
 * nothing in JSON.
 */
export function toBackupRowLine(json: string): string {
  return `${json.replaceAll(/[\r\n]/g, ' ')}\n`
}

/**
 * Opens the backup at `path`. `parts` yields each table followed by its rows; it can be consumed once.
 * @throws BackupError when the file is not a backup; from `parts`, when it is incomplete
 */
export async function readBackup(
  path: string,
): Promise<{ head: BackupHeader; parts: AsyncGenerator<BackupPart> }> {
  const lines = readLines(path)
  const first = await lines.next()
  const head = headSchema.safeParse(first.done ? null : toJson(first.value))
  if (!head.success) throw new BackupError(`${path} is not a backup of this program.`)
  return { head: head.data, parts: readParts(path, lines) }
}

async function* readParts(path: string, lines: AsyncGenerator<string>): AsyncGenerator<BackupPart> {
  let rowCount = 0
  let isWhole = false
  for await (const line of lines) {
    if (!line.startsWith('#')) {
      rowCount += 1
      yield { kind: 'row', json: line }
      continue
    }
    const table = tableSchema.safeParse(toJson(line))
    if (table.success) yield { kind: 'table', ...table.data }
    else isWhole = footSchema.safeParse(toJson(line)).data?.rowCount === rowCount
  }
  if (!isWhole) throw new BackupError(`${path} is not whole: its end is missing.`)
}

async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path)
  const unpacked = createGunzip()
  // Destroy the unzip stream when the source stream fails, because the error does not end it.
  file.on('error', (error) => unpacked.destroy(error))
  try {
    for await (const line of createInterface({
      input: file.pipe(unpacked),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      yield line
    }
    if (unpacked.errored !== null) throw unpacked.errored
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(Z_|ENOENT|EISDIR|EACCES)/.test(String(error.code))) {
      throw new BackupError(`${path} cannot be read as a backup (${error.message}).`)
    }
    throw error
  }
}

function toJson(line: string): unknown {
  try {
    return JSON.parse(line.replace(/^#/, ''))
  } catch {
    return null
  }
}
