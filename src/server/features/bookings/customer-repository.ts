import { sql } from 'kysely'
import type { Trx } from '#server/platform/db/transaction.ts'

/** A customer without an address is identified by name and phone number, however they are written. Source: rule O7. */
export async function findWithoutAddress(
  trx: Trx,
  { calendarId, name, phone }: { calendarId: string; name: string; phone: string | null },
): Promise<string | null> {
  const row = await trx
    .selectFrom('customers')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where('email', 'is', null)
    .where(sql<boolean>`lower(btrim(name)) = lower(btrim(${name}))`)
    .where(
      sql<boolean>`regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g') = ${(phone ?? '').replace(/[^0-9]/g, '')}`,
    )
    // The one who was first, if an import should ever bring two.
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
