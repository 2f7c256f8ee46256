import { CSV_BOM, type CsvValue, toCsvRecord } from '#core/shared/csv.ts'
import { type IdentityCheckDeps, verifyPassword } from '#server/areas/accounts/security/prove-identity.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import { type ExportedRow, readOwnRows } from './export-repository.ts'
import { EXPORTED_TABLES, type ExportedTable } from './export-tables.ts'
import { type ZipFile, zip } from './stream-zip.ts'

export type ExportDeps = IdentityCheckDeps & {
  readonly db: Db
  readonly now: Clock
  readonly secrets: Pick<SecretBox, 'open'>
}

/**
 * Exports everything that an owner has stored as a ZIP archive: each table as JSON and as CSV, without passwords,
 * tokens and secrets. Rows are loaded while the archive is sent, so a large export neither fills the memory nor blocks
 * the database; changes during the export may appear in only some files. The password is required again. Source: rules
 * D1 and D2.
 * @throws ProblemError `account.wrong_password`, `request.too_many`
 */
export async function exportAccount(
  deps: ExportDeps,
  ownerId: OwnerId,
  password: string,
): Promise<AsyncGenerator<Uint8Array>> {
  await verifyPassword(deps, ownerId, { password, field: 'password' })
  const madeAt = new Date(deps.now())
  return zip(filesOf(deps, ownerId, madeAt), madeAt)
}

function* filesOf(deps: ExportDeps, ownerId: OwnerId, madeAt: Date): Generator<ZipFile> {
  yield { name: 'README.txt', text: [explain(madeAt)] }
  for (const exported of EXPORTED_TABLES) {
    yield { name: `${exported.name}.json`, text: toJson(deps, ownerId, exported) }
    yield { name: `${exported.name}.csv`, text: toCsv(deps, ownerId, exported) }
  }
}

async function* toJson(deps: ExportDeps, ownerId: OwnerId, exported: ExportedTable): AsyncGenerator<string> {
  let before = '[\n'
  for await (const rows of openOwnRows(deps, ownerId, exported)) {
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function* toCsv(deps: ExportDeps, ownerId: OwnerId, exported: ExportedTable): AsyncGenerator<string> {
  yield CSV_BOM + toCsvRecord(exported.columns)
  for await (const rows of openOwnRows(deps, ownerId, exported)) {
    yield rows.map((row) => toCsvRecord(exported.columns.map((column) => toCell(row[column])))).join('')
  }
}

/** Yields the owner's rows of a table in clear. Only the owner gets them. Source: rule B36. */
async function* openOwnRows(
  { db, secrets }: ExportDeps,
  ownerId: OwnerId,
  exported: ExportedTable,
): AsyncGenerator<readonly ExportedRow[]> {
  const { opened, key } = exported
  if (opened === undefined) {
    yield* readOwnRows(db, ownerId, exported)
    return
  }
  const { column, into, toPurpose } = opened
  const open = (sealed: unknown, id: unknown) =>
    JSON.parse(secrets.open(sealed as Buffer, toPurpose(String(id)))) // the column is a bytea
  for await (const rows of readOwnRows(db, ownerId, exported)) {
    yield rows.map(({ [column]: sealed, ...row }) =>
      sealed === null ? row : { ...row, [into]: open(sealed, row[key]) },
    )
  }
}

/** Converts a value to a CSV cell. Instants are written in UTC, settings as JSON. */
function toCell(value: unknown): CsvValue {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'number') return value
  return JSON.stringify(value)
}

/** Writes the README for a person who opens the archive, perhaps years later and without this product. */
function explain(madeAt: Date): string {
  const width = Math.max(...EXPORTED_TABLES.map(({ name }) => name.length))
  return [
    'Your data from Meridian',
    `Made on ${madeAt.toISOString()}`,
    '',
    'Each file comes in two formats with the same contents: .json for programs, .csv for spreadsheets (UTF-8).',
    '',
    ...EXPORTED_TABLES.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    '',
    'Instants are in UTC (ISO 8601). Amounts are in cents of the currency beside them; without one, in euro cents.',
    'The columns that end in _id say which rows belong together: the customer_id of an appointment is the id of a customer.',
    'In the .csv files, text that a spreadsheet would read as a formula, such as +44, starts with an apostrophe.',
    '',
    'Not included: your password, the secret of your authenticator app, and the keys of your sessions and of payment',
    'providers. These only prove who you are.',
    '',
  ].join('\r\n')
}
