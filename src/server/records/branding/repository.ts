import { sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { LogoImage } from './render-logo.ts'

/** Returns the stored branding of a calendar. Null when the owner has no such calendar. */
export async function findStoredBranding(
  db: Db,
  ownerId: OwnerId,
  calendarId: string,
): Promise<Record<string, unknown> | null> {
  const row = await db
    .selectFrom('calendars')
    .select('branding_settings')
    .where('id', '=', calendarId)
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  return row?.branding_settings ?? null
}

/** Returns the size of one of a calendar's logos, or null when the calendar has no such logo. */
export async function findLogoSize(db: Db, calendarId: string, hash: string): Promise<LogoSize | null> {
  const row = await db
    .selectFrom('branding_files')
    .select(['width', 'height'])
    .where('calendar_id', '=', calendarId)
    .where('hash', '=', hash)
    .where('kind', '=', 'logo')
    .executeTakeFirst()
  return row === undefined ? null : { width: row.width ?? 0, height: row.height ?? 0 }
}

export type LogoSize = { readonly width: number; readonly height: number }

export async function findBrandingFile(
  db: Db,
  { calendarId, hash, kind }: { calendarId: string; hash: string; kind: 'logo' | 'style' },
): Promise<Buffer | null> {
  const row = await db
    .selectFrom('branding_files')
    .select('content')
    .where('calendar_id', '=', calendarId)
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.content ?? null
}

/** Copies the files that a calendar's branding names to a copy of the calendar. */
export async function copyBrandingFileRows(
  trx: Trx,
  { originalId, copyId, hashes }: { originalId: string; copyId: string; hashes: readonly string[] },
): Promise<void> {
  await sql`
    insert into branding_files (calendar_id, hash, kind, content, width, height, created_at)
    select ${copyId}, hash, kind, content, width, height, created_at
    from branding_files where calendar_id = ${originalId} and hash = any (${[...hashes]}::text[])`.execute(
    trx,
  )
}

export async function deleteBrandingFiles(trx: Trx, calendarId: string): Promise<void> {
  await trx.deleteFrom('branding_files').where('calendar_id', '=', calendarId).execute()
}

/** Number of files of each kind that a calendar keeps. Older files still serve pages that were opened a moment ago. */
const KEPT_FILES = 5

type NewFile = { readonly calendarId: string; readonly at: Date } & (
  | { readonly kind: 'logo'; readonly image: LogoImage }
  | { readonly kind: 'style'; readonly hash: string; readonly content: Buffer }
)

/**
 * Stores a file. If an identical file exists, only its date is renewed. Older files beyond `KEPT_FILES` are deleted,
 * except those in `named`.
 */
export async function storeBrandingFile(trx: Trx, file: NewFile, named: readonly string[]): Promise<void> {
  const { calendarId, kind, at } = file
  const values =
    file.kind === 'logo' ? file.image : { hash: file.hash, content: file.content, width: null, height: null }
  await trx
    .insertInto('branding_files')
    .values({
      calendar_id: calendarId,
      hash: values.hash,
      kind,
      content: values.content,
      width: values.width,
      height: values.height,
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'hash']).doUpdateSet({ created_at: at }))
    .execute()
  const ofKind = await trx
    .selectFrom('branding_files')
    .select('hash')
    .where('calendar_id', '=', calendarId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .offset(KEPT_FILES)
    .execute()
  const outdated = ofKind.map(({ hash }) => hash).filter((hash) => !named.includes(hash))
  if (outdated.length === 0) return
  await trx
    .deleteFrom('branding_files')
    .where('calendar_id', '=', calendarId)
    .where('hash', 'in', outdated)
    .execute()
}
