import type { RefundAmount } from '#core/appointments/decide-refund.ts'
import { CANCELLED_MEANWHILE, findMoveOfferObstacle } from '#core/appointments/offer-obstacle.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { pickSpreadStarts } from '#core/slots/spread-times.ts'
import {
  cancelLockedAppointment,
  lockCancellableAppointment,
  toOwnerCancellationRefund,
} from '#server/areas/appointments/actions/cancel-appointment.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import { queueLatestMessage } from '#server/messages/queue/use-cases.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { type AppointmentForAction, findCurrentTime } from '#server/records/appointments/state-repository.ts'
import { type CurrentAppointmentTime, getSlotsByDay } from '#server/records/slots/use-cases.ts'
import {
  type ChangeItemKey,
  findChange,
  findNextAppointmentId,
  finishChange,
  listOfferedTimes,
  lockUnprocessedItem,
  markItemProcessed,
  type StoredChange,
} from './repository.ts'

/**
 * `OFFERED_TIMES` is the number of times offered to each customer. `OFFER_DAYS` is the number of days after the change
 * that are searched for them.
 */
const OFFERED_TIMES = 3
const OFFER_DAYS = 21

/**
 * Processes the remaining appointments of a change, each in its own transaction. If the process dies, a retry processes
 * the rest. Source: rule A22.
 */
export async function runManyChange(
  deps: BookingsDeps,
  key: { readonly calendarId: string; readonly changeId: string },
): Promise<void> {
  const change = await findChange(deps.db, key)
  if (change === null) return
  const freeTimes: FreeTimes = new Map()
  for (;;) {
    const appointmentId = await findNextAppointmentId(deps.db, key)
    if (appointmentId === null) break
    await workOnItem(deps, { ...key, appointmentId }, { change, freeTimes })
  }
  await finishChange(deps.db, key, new Date(deps.now()))
}

/**
 * Cache of free times after the days of a change, by type, length and location. They are looked up once per run and not
 * for each appointment. That is enough, because offered times are not held, and the customer's page shows only those
 * that are still free.
 */
type FreeTimes = Map<string, string[]>

async function workOnItem(
  deps: BookingsDeps,
  key: ChangeItemKey,
  { change, freeTimes }: { readonly change: StoredChange; readonly freeTimes: FreeTimes },
): Promise<void> {
  const times = change.kind === 'offer' ? await listTimesToOffer(deps, key, { change, freeTimes }) : []
  try {
    await inTransaction(deps.db, (trx) => changeItem(deps, trx, { key, change, times }))
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { message: reason } = error
    await inTransaction(deps.db, (trx) => markItemProcessed(trx, key, { state: 'skipped', reason }))
  }
}

type Item = { readonly key: ChangeItemKey; readonly change: StoredChange; readonly times: readonly string[] }

/**
 * Changes one appointment under the locks of the calendar, the appointment and the item's row.
 * @throws ProblemError when the appointment must be skipped
 */
async function changeItem(deps: BookingsDeps, trx: Trx, { key, change, times }: Item): Promise<void> {
  const appointmentKey = { calendarId: key.calendarId, id: key.appointmentId }
  const found = await lockCancellableAppointment(trx, appointmentKey)
  const item = await lockUnprocessedItem(trx, key)
  if (item === null) return
  const decided = { kind: change.kind, startsAt: item.startsAt }
  const reason =
    found === null ? 'It no longer exists.' : findObstacle(found.appointment, decided, deps.now())
  if (found === null || reason !== null) {
    return markItemProcessed(trx, key, { state: 'skipped', reason: reason ?? '' })
  }
  if (change.kind === 'cancel') {
    const { bookedBy: countedFor } = found.appointment
    await cancelLockedAppointment(deps, trx, {
      ...found,
      key: appointmentKey,
      causedBy: 'owner',
      givesBack: toRefundChoice(found.appointment, change),
      ofMany: { countedFor, note: change.message },
    })
    return markItemProcessed(trx, key, { state: 'done' })
  }
  const revision = { sequence: found.appointment.sequence, changedAt: new Date(deps.now()) }
  const { calendarId, appointmentId } = key
  // The email counts towards the owner's limit even if the customer booked, because an owner can offer other times for
  // an appointment any number of times.
  await queueLatestMessage(deps, trx, {
    calendarId,
    appointmentId,
    kind: 'new_times',
    causedBy: 'owner',
    revision,
    details: { note: change.message, times: [...times] },
  })
  return markItemProcessed(trx, key, { state: 'done', offered: times })
}

/** Returns the reason to skip an appointment; null when there is none. */
function findObstacle(
  { state, startsAtMs }: AppointmentForAction,
  decided: { readonly kind: StoredChange['kind']; readonly startsAt: Date },
  nowMs: number,
): string | null {
  if (state.status === 'cancelled') return CANCELLED_MEANWHILE
  if (startsAtMs !== decided.startsAt.getTime()) return 'It has been moved.'
  if (startsAtMs <= nowMs) return 'It has started.'
  return decided.kind === 'offer' ? findMoveOfferObstacle(state.status) : null
}

/**
 * Decides the refund. Because the owner cancels, the whole payment is refunded, unless the owner chose a refund by the
 * policy. The policy is then applied as of the owner's decision, however late the job runs. Source: rules A21 and Q8.
 */
function toRefundChoice(
  appointment: AppointmentForAction,
  { refund, created_at: createdAt }: Pick<StoredChange, 'refund' | 'created_at'>,
): RefundAmount | null {
  if (refund === 'policy') return toOwnerCancellationRefund(appointment, createdAt.getTime())
  const { state, priceCents } = appointment
  return state.paymentStatus === 'paid' && priceCents !== null ? { cents: priceCents, percent: null } : null
}

/**
 * Lists free times after the days of the change, spread over days and times of day. Times that were already offered to other customers of this
 * change come last, so that not everybody is offered the same three. The times are not held: the first customer who
 * chooses one gets it. Source: rule A23.
 */
async function listTimesToOffer(
  deps: BookingsDeps,
  key: ChangeItemKey,
  { change, freeTimes }: { readonly change: StoredChange; readonly freeTimes: FreeTimes },
): Promise<string[]> {
  const { calendarId, appointmentId: id } = key
  const details = await findAppointmentDetails(deps.db, id)
  const own = await findCurrentTime(deps.db, { calendarId, id })
  if (details === null || own === null) return []
  const { slug, appointment_type_id: typeId, time_zone: timeZone } = details
  const needed = [typeId, own.endMs - own.startMs, own.conflictLocationId].join(' ')
  const free = freeTimes.get(needed) ?? (await listFreeTimes(deps, { slug, typeId, own, after: change.to }))
  freeTimes.set(needed, free)
  const offered = await listOfferedTimes(deps.db, key)
  const fresh = free.filter((time) => !offered.has(time))
  const again = free.filter((time) => offered.has(time))
  const picked = pickSpreadStarts(fresh.map(Date.parse), OFFERED_TIMES, timeZone)
  picked.push(...pickSpreadStarts(again.map(Date.parse), OFFERED_TIMES - picked.length, timeZone))
  return picked.sort((a, b) => a - b).map((startMs) => new Date(startMs).toISOString())
}

async function listFreeTimes(
  deps: BookingsDeps,
  {
    slug,
    typeId,
    own,
    after,
  }: {
    readonly slug: string
    readonly typeId: string | null
    readonly own: CurrentAppointmentTime
    readonly after: string
  },
): Promise<string[]> {
  const { days } = await getSlotsByDay(deps, {
    slug,
    appointmentTypeId: typeId ?? undefined,
    own,
    firstDate: addDays(after, 1),
    dayCount: OFFER_DAYS,
  })
  return days.flatMap(({ slots }) => slots.map(({ starts_at }) => new Date(starts_at).toISOString()))
}
