import type { DomainSettings } from '#core/addresses/public-url.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * Reserves a path for a calendar. Returns false when the word is or ever was a slug, or is the path of another
 * calendar. Source: rule I2.
 */
export async function tryClaimPath(trx: Trx, calendarId: string, path: string): Promise<boolean> {
  const taken = await trx
    .insertInto('public_calendars')
    .values({ slug: path, calendar_id: null, public_url: null, path_of: calendarId })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet({ path_of: calendarId })
        .where('public_calendars.path_of', '=', calendarId),
    )
    .returning('slug')
    .executeTakeFirst()
  return taken !== undefined
}

/** Stores which address the owner chose. Whether links lead there depends on the state of the host. */
export async function writeDomainSettings(
  trx: Trx,
  calendarId: string,
  { type, path, subdomain, customDomain }: DomainSettings,
  changedAt: Date,
): Promise<void> {
  await trx
    .updateTable('calendars')
    .set({
      domain_settings: JSON.stringify({ type, path, subdomain, custom_domain: customDomain }),
      updated_at: changedAt,
    })
    .where('id', '=', calendarId)
    .execute()
}
