import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CopiedCalendar } from '#server/records/calendars/duplicate-calendar.ts'
import { PLAN_GATES } from '#server/records/subscription/plan-gates.ts'
import { getPlan } from '#server/records/subscription/use-cases.ts'
import { replaceExternalCalendarUses } from './calendar-repository.ts'
import { lockOwnConnections } from './connection-repository.ts'
import type { ExternalCalendarsDeps } from './deps.ts'
import { queueSyncs } from './queue-syncs.ts'
import { storeDefaultExternalCalendarSettings } from './settings-repository.ts'
import { copySettings, findWrittenCalendar } from './start-repository.ts'
import { listConnectionsWithoutZone } from './zone-repository.ts'

type StartDeps = Pick<ExternalCalendarsDeps, 'jobs' | 'now' | 'defaultTier'>

/**
 * Makes a new calendar write its appointments to the same external calendar as its person's newest calendar that writes to one.
 * Does nothing if none does. The owner can choose differently at any time. Source: rule G33.
 */
export function startWriting(
  deps: StartDeps,
  trx: Trx,
  { ownerId, calendarId }: { readonly ownerId: OwnerId; readonly calendarId: string },
): Promise<void> {
  return writeWhereOthersWrite(deps, trx, { ownerId, calendarId, originalId: null })
}

/** Makes a duplicate write where its original writes, with the same settings. Source: rule G33. */
export async function copyWriting(
  deps: StartDeps,
  trx: Trx,
  { ownerId, originalId, copyId, copiedAt }: CopiedCalendar,
): Promise<void> {
  await copySettings(trx, { originalId, copyId, copiedAt })
  await writeWhereOthersWrite(deps, trx, { ownerId, calendarId: copyId, originalId })
}

async function writeWhereOthersWrite(
  deps: StartDeps,
  trx: Trx,
  {
    ownerId,
    ...writers
  }: { readonly ownerId: OwnerId; readonly calendarId: string; readonly originalId: string | null },
): Promise<void> {
  const { calendarId } = writers
  const now = new Date(deps.now())
  // Most owners connect nothing, and then no connection is locked.
  if ((await findWrittenCalendar(trx, writers)) === null) return
  const { plan } = await getPlan(deps, trx, ownerId, now)
  if (!PLAN_GATES.external_calendars.isIncluded(plan)) return
  await lockOwnConnections(trx, ownerId)
  const externalCalendarId = await findWrittenCalendar(trx, writers)
  if (externalCalendarId === null) return
  await replaceExternalCalendarUses(trx, calendarId, [{ externalCalendarId, reads: false, writes: true }])
  await storeDefaultExternalCalendarSettings(trx, calendarId, now)
  // An external calendar without a zone of its own is read in the zones of all calendars that use it. Source: rule G4.
  const unzoned = await listConnectionsWithoutZone(trx, calendarId)
  if (unzoned.length > 0) await queueSyncs(deps, trx, unzoned)
}
