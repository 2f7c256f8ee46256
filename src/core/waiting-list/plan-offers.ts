import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { addBuffer, type OwnersWork, toOccupiedTime } from '#core/slots/occupied-time.ts'
import { decideOffer } from './offer-duration.ts'
import { type LocalStart, matchesRequest, toLocalStart, type WaitingRequest } from './waiting-request.ts'

/** A customer on the waiting list without an open offer. */
export type WaitingCustomer = WaitingRequest & {
  readonly id: string
  /** The time zone of the customer's request. */
  readonly time_zone: string
  /** Number of the scan that recorded which times were already free when the customer joined. */
  readonly joinedAtScan: number
  /** Starts already offered to this customer. */
  readonly offeredBefore: ReadonlySet<number>
}

/** The free starts of one appointment type, sorted. */
export type SortedFreeStarts = OwnersWork & {
  readonly typeId: string | null
  readonly durationMinutes: number
  readonly starts: readonly FreedStart[]
}

/** A free start, and the number of the scan that first found it free. */
type FreedStart = { readonly startMs: number; readonly scanNumber: number }

export type PlannedOffer = {
  readonly customerId: string
  readonly typeId: string | null
  readonly startMs: number
  /** Until when the time is held for this customer; null when all matching customers are asked. */
  readonly heldUntilMs: number | null
}

type Planning = {
  /** In order of joining. */
  readonly customers: readonly WaitingCustomer[]
  readonly free: readonly SortedFreeStarts[]
  /** The calendar's time zone, which defines the nights. */
  readonly timeZone: string
  readonly bufferMinutes: number
  readonly nowMs: number
  /** Maximum number of offers per plan. */
  readonly mostOffers: number
  /** Maximum number of customers asked about one time. */
  readonly mostTold: number
}

/**
 * Plans which customer is offered which free time. In order of joining, each customer gets the earliest time that
 * matches their request, became free after they joined, and was not offered to them before. A held time is offered to
 * nobody else in the plan. Any other time can be offered to several customers who wait for the same type. Source: rules
 * Z3 and Z5.
 */
export function planOffers(planning: Planning): PlannedOffer[] {
  const { customers, nowMs, timeZone, mostOffers, mostTold } = planning
  const times = buildTimes(planning)
  /** Number of customers asked, by start. */
  const told = new Map<number, number>()
  const offers: PlannedOffer[] = []
  for (const customer of customers) {
    if (offers.length === mostOffers) break
    const startMs = times.findFor(customer)
    if (startMs === null) continue
    const { id: customerId, appointment_type_id: typeId } = customer
    const decision = decideOffer({ nowMs, startsAtMs: startMs, timeZone })
    const toldBefore = told.get(startMs) ?? 0
    const isHeld = decision.kind === 'held' && toldBefore === 0
    if (!isHeld) told.set(startMs, toldBefore + 1)
    const isOpenToMore = !isHeld && toldBefore + 1 < mostTold
    times.take(startMs, typeId, isOpenToMore)
    offers.push({ customerId, typeId, startMs, heldUntilMs: isHeld ? decision.endsAtMs : null })
  }
  return offers
}

type Times = {
  /** Returns the earliest free time that matches a customer's request. */
  readonly findFor: (customer: WaitingCustomer) => number | null
  /**
   * Removes a time and everything that overlaps it, its preparation, its wrap-up or its buffer. With `isOpenToMore` the time
   * itself stays available for customers who want the same type.
   */
  readonly take: (startMs: number, typeId: string | null, isOpenToMore: boolean) => void
}

/** The times that are still free while the plan is built. */
function buildTimes({ free, bufferMinutes }: Planning): Times {
  const types = new Map(
    free.map((type) => {
      const startsMs = type.starts.map(({ startMs }) => startMs)
      return [type.typeId, { ...type, startsMs, taken: new Set<number>() }]
    }),
  )
  /** Times with their local date and clock time, cached by type and zone. */
  const read = new Map<string, readonly (LocalStart & FreedStart)[]>()
  const readIn = (typeId: string | null, starts: readonly FreedStart[], timeZone: string) => {
    const key = `${typeId} ${timeZone}`
    const times =
      read.get(key) ?? starts.map((start) => ({ ...start, ...toLocalStart(start.startMs, timeZone) }))
    read.set(key, times)
    return times
  }
  return {
    findFor(customer) {
      const type = types.get(customer.appointment_type_id)
      if (type === undefined || type.taken.size === type.starts.length) return null
      const times = readIn(customer.appointment_type_id, type.starts, customer.time_zone)
      for (let i = findIndex(times.length, (at) => (times[at]?.date ?? '') >= customer.from_date); ; i++) {
        const time = times[i]
        if (time === undefined || time.date > customer.to_date) return null
        const isGone = type.taken.has(time.startMs) || customer.offeredBefore.has(time.startMs)
        const isFreed = time.scanNumber > customer.joinedAtScan
        if (isFreed && !isGone && matchesRequest(customer, time)) return time.startMs
      }
    },
    take(startMs, typeId, isOpenToMore) {
      const type = types.get(typeId)
      if (type === undefined) return
      const wide = addBuffer(occupiedFrom(startMs, type), bufferMinutes)
      for (const other of types.values()) {
        const { startMs: beforeMs, endMs: afterMs } = occupiedFrom(0, other)
        for (const time of listBetween(other.startsMs, wide.startMs - afterMs, wide.endMs - beforeMs)) {
          if (!(isOpenToMore && time === startMs && other.typeId === typeId)) other.taken.add(time)
        }
      }
    },
  }
}

/** Returns the time that an appointment of a type occupies. */
function occupiedFrom(startMs: number, type: SortedFreeStarts): Interval {
  return toOccupiedTime({ startMs, endMs: startMs + type.durationMinutes * MINUTE_MS }, type)
}

/** Returns the starts strictly between `afterMs` and `beforeMs`. `startsMs` must be sorted. */
function listBetween(startsMs: readonly number[], afterMs: number, beforeMs: number): readonly number[] {
  const from = findIndex(startsMs.length, (i) => (startsMs[i] ?? 0) > afterMs)
  const until = findIndex(startsMs.length, (i) => (startsMs[i] ?? 0) >= beforeMs)
  return startsMs.slice(from, until)
}

/**
 * Binary search for the first index where `isSo` is true; it must be true for all later indexes. Returns `length`
 * when there is none.
 */
function findIndex(length: number, isSo: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(middle)) high = middle
    else low = middle + 1
  }
  return low
}
