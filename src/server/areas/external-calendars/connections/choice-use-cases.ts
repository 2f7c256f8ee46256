import type { z } from 'zod'
import type {
  ExternalCalendars,
  externalCalendarChanges,
  externalCalendarChoice,
} from '#contract/external-calendars/external-calendars.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import { lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { announceFreedTimeOfPerson } from '#server/records/freed-times/use-cases.ts'
import { refuseFeatureOutsidePlan } from '#server/records/subscription/use-cases.ts'
import {
  deleteUnusedBusyTimeCopies,
  type ExternalCalendarUse,
  listSelectableExternalCalendars,
  replaceExternalCalendarUses,
  requestFullReadOfOwnEvents,
  type SelectableExternalCalendar,
} from './calendar-repository.ts'
import { listOwnConnections, lockOwnConnections } from './connection-repository.ts'
import type { ExternalCalendarsDeps } from './deps.ts'
import { queueSyncs } from './queue-syncs.ts'
import {
  getExternalCalendarSettings,
  saveExternalCalendarSettings,
  storeDefaultExternalCalendarSettings,
} from './settings-repository.ts'
import { allowsWritingEvents, getExternalCalendars } from './use-cases.ts'

type Choice = z.output<typeof externalCalendarChoice>

/**
 * Sets which external calendars a calendar reads, and which one it writes to. Newly chosen calendars are synced at
 * once; the copies of calendars that are no longer used are deleted. Idempotent. Source: rules G2 and H14.
 * @throws ProblemError `calendar.*`, `external_calendar.not_in_plan`, `external_calendar.not_found`,
 * `external_calendar.read_only`, `external_calendar.write_not_allowed`, `request.too_many`
 */
export async function chooseExternalCalendars(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  { calendarId, ...choice }: Choice & { readonly calendarId: string },
): Promise<ExternalCalendars> {
  return inTransaction(deps.db, async (trx) => {
    const inside = { ...deps, db: trx }
    await lockOwnCalendar(trx, ownerId, calendarId)
    // Removing external calendars is allowed on every plan. Source: rule S4.
    if (choice.reads.length > 0 || choice.writes !== null)
      await refuseWithoutExternalCalendarsInPlan(inside, ownerId)
    await lockOwnConnections(trx, ownerId)
    const usable = await listSelectableExternalCalendars(trx, ownerId, calendarId)
    await refuseUnwritable(inside, ownerId, choice.writes, usable)
    const uses = toUses(choice)
    if (uses.some(({ externalCalendarId: id }) => usable.every((calendar) => calendar.id !== id))) {
      throw new ProblemError('external_calendar.not_found')
    }
    if (isChanged(usable, uses)) {
      refuseIfOverBudget(await deps.budgets.spend([{ budget: 'calendar_choices', subject: ownerId }], trx))
      await changeUses(deps, trx, { ownerId, calendarId, usable, uses })
    }
    return getExternalCalendars(inside, ownerId, calendarId)
  })
}

/** True when the use of any external calendar changes. */
function isChanged(
  usable: readonly SelectableExternalCalendar[],
  uses: readonly ExternalCalendarUse[],
): boolean {
  return usable.some(({ id, reads_busy_times, writes_events }) => {
    const use = uses.find(({ externalCalendarId }) => externalCalendarId === id)
    return reads_busy_times !== (use?.reads ?? false) || writes_events !== (use?.writes ?? false)
  })
}

/**
 * After an account has been connected for a calendar, makes the calendar read the account's main calendar, and write to
 * it if the owner allowed that. Earlier choices are kept.
 */
export async function chooseMainCalendar(
  deps: ExternalCalendarsDeps,
  trx: Trx,
  {
    ownerId,
    calendarId,
    connectionId,
    wantsWriting,
  }: {
    readonly ownerId: OwnerId
    readonly calendarId: string
    readonly connectionId: string
    readonly wantsWriting: boolean
  },
): Promise<void> {
  const usable = await listSelectableExternalCalendars(trx, ownerId, calendarId)
  // The list has the account's main calendar first.
  const present = usable.filter(({ connection_id, is_gone }) => connection_id === connectionId && !is_gone)
  const connection = (await listOwnConnections(trx, ownerId)).find(({ id }) => id === connectionId)
  const isUsed = present.some(isInUse)
  const mayWrite = wantsWriting && connection !== undefined && allowsWritingEvents(deps, connection)
  const isWritten = usable.some(({ writes_events }) => writes_events)
  const read = isUsed ? undefined : present[0]?.id
  const written = mayWrite && !isWritten ? present.find(({ can_write }) => can_write)?.id : undefined
  const uses = usable.map((calendar) => ({
    externalCalendarId: calendar.id,
    reads: calendar.reads_busy_times || calendar.id === read,
    writes: calendar.writes_events || calendar.id === written,
  }))
  await changeUses(deps, trx, {
    ownerId,
    calendarId,
    usable,
    uses: uses.filter((use) => use.reads || use.writes),
  })
}

type Change = {
  readonly ownerId: OwnerId
  readonly calendarId: string
  readonly usable: readonly SelectableExternalCalendar[]
  readonly uses: readonly ExternalCalendarUse[]
}

async function changeUses(deps: ExternalCalendarsDeps, trx: Trx, change: Change): Promise<void> {
  const { ownerId, calendarId, usable, uses } = change
  await replaceExternalCalendarUses(trx, calendarId, uses)
  if (uses.length > 0) await storeDefaultExternalCalendarSettings(trx, calendarId, new Date(deps.now()))
  const used = new Set(uses.map(({ externalCalendarId }) => externalCalendarId))
  // External calendars without a zone of their own are read in the zones of all Meridian calendars that use them, which
  // may have changed. Source: rule G4.
  const unread = usable.filter(
    ({ id, synced_at, time_zone }) => used.has(id) && (synced_at === null || time_zone === null),
  )
  const connectionIds = [...new Set(unread.map(({ connection_id }) => connection_id))]
  await queueSyncs(deps, trx, connectionIds)
  await deleteUnusedBusyTimeCopies(trx, ownerId)
  const before = usable.find(({ writes_events }) => writes_events)?.id
  const written = uses.find(({ writes }) => writes)?.externalCalendarId
  if (written !== undefined && written !== before) await deps.writeUpcomingEvents(trx, calendarId)
  await announceFreedTimeOfPerson(deps, trx, calendarId)
}

function isInUse({ reads_busy_times, writes_events }: SelectableExternalCalendar): boolean {
  return reads_busy_times || writes_events
}

function toUses({ reads, writes }: Choice): ExternalCalendarUse[] {
  const ids = [...new Set([...reads, ...(writes === null ? [] : [writes])])]
  return ids.map((id) => ({ externalCalendarId: id, reads: reads.includes(id), writes: writes === id }))
}

/**
 * Refuses a calendar to which we cannot write.
 * @throws ProblemError `external_calendar.read_only`, `external_calendar.write_not_allowed`
 */
async function refuseUnwritable(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  writes: string | null,
  usable: readonly SelectableExternalCalendar[],
): Promise<void> {
  const calendar = usable.find(({ id }) => id === writes)
  if (calendar === undefined) return
  const connections = await listOwnConnections(deps.db, ownerId)
  const connection = connections.find(({ id }) => id === calendar.connection_id)
  const isReadOnly =
    !calendar.can_write || deps.calendarProviders[connection?.provider ?? 'ics']?.events === null
  if (isReadOnly) throw new ProblemError('external_calendar.read_only')
  if (connection === undefined || !allowsWritingEvents(deps, connection)) {
    throw new ProblemError('external_calendar.write_not_allowed')
  }
}

/**
 * Starts applying changes made in external calendars again. Changes that happened in between may be old, so the next
 * sync reads everything, and the owner is asked before any change is applied. Source: rule G13.
 */
async function restartFollowing(
  deps: Pick<ExternalCalendarsDeps, 'jobs' | 'now'>,
  trx: Trx,
  { ownerId, calendarId }: { readonly ownerId: OwnerId; readonly calendarId: string },
): Promise<void> {
  // Lock the connections first, in the same order as every sync: the connection, then its calendars.
  await lockOwnConnections(trx, ownerId)
  await queueSyncs(deps, trx, await requestFullReadOfOwnEvents(trx, calendarId))
}

/**
 * Changes how a calendar uses external calendars. Changes that cause calls to the provider are rate limited. Source:
 * rules G8, G9, G12 and H14.
 * @throws ProblemError `calendar.*`, `external_calendar.not_in_plan`, `request.changed_meanwhile`, `request.too_many`
 */
export async function changeExternalCalendarSettings(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  { calendarId, was, ...changes }: z.output<typeof externalCalendarChanges> & { readonly calendarId: string },
): Promise<ExternalCalendars> {
  return inTransaction(deps.db, async (trx) => {
    const inside = { ...deps, db: trx }
    await lockOwnCalendar(trx, ownerId, calendarId)
    await refuseWithoutExternalCalendarsInPlan(inside, ownerId)
    const before = await getExternalCalendarSettings(trx, calendarId)
    refuseStaleChange(before, was)
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    await saveExternalCalendarSettings(trx, calendarId, { ...given, updated_at: new Date(deps.now()) })
    const after = await getExternalCalendarSettings(trx, calendarId)
    const followsAgain = after.two_way_sync && !before.two_way_sync
    const isSwitchedOn = after.auto_sync && !before.auto_sync
    // This changes the content of events, so they must be written again.
    const writesAgain = isSwitchedOn || after.hide_customer !== before.hide_customer
    if (followsAgain || writesAgain) {
      refuseIfOverBudget(await deps.budgets.spend([{ budget: 'calendar_rewrites', subject: ownerId }], trx))
    }
    if (followsAgain) await restartFollowing(deps, trx, { ownerId, calendarId })
    if (writesAgain) await deps.writeUpcomingEvents(trx, calendarId)
    return getExternalCalendars(inside, ownerId, calendarId)
  })
}

/**
 * Refuses owners whose plan does not include external calendars, whatever the provider. Source: rule S4.
 * @throws ProblemError `external_calendar.not_in_plan`
 */
export function refuseWithoutExternalCalendarsInPlan(
  deps: Pick<ExternalCalendarsDeps, 'db' | 'now' | 'defaultTier'>,
  ownerId: OwnerId,
): Promise<void> {
  return refuseFeatureOutsidePlan(deps, ownerId, 'external_calendars')
}
