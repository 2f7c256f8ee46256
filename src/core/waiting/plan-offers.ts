import { MINUTE_MS } from '#core/shared/duration.ts'
import { decideOffer } from './offer-length.ts'
import { matchesRequest, type ReadTime, readTime, type WaitingRequest } from './waiting-request.ts'

/** Somebody on the waiting list who has no offer at present. */
export type WaitingCustomer = WaitingRequest & {
  readonly id: string
  /** The zone in which the request is meant. */
  readonly timeZone: string
  /** The number of the look that says what was free when they joined. */
  readonly joinedAtLook: number
  /** Starts that were offered to them before. */
  readonly offeredBefore: ReadonlySet<number>
}

/** The free starts of one appointment type, in order. */
export type FreeTimes = {
  readonly typeId: string | null
  readonly durationMinutes: number
  readonly starts: readonly FreedStart[]
}

/** A free start, and the number of the look that found it free first. */
type FreedStart = { readonly startMs: number; readonly lookNo: number }

export type PlannedOffer = {
  readonly customerId: string
  readonly typeId: string | null
  readonly startMs: number
  /** Until when it is theirs alone; null when all who fit are told. */
  readonly heldUntilMs: number | null
}

type Planning = {
  /** Who joined first comes first. */
  readonly customers: readonly WaitingCustomer[]
  readonly free: readonly FreeTimes[]
  /** The zone of the calendar, whose nights count. */
  readonly timeZone: string
  readonly bufferMinutes: number
  readonly nowMs: number
  /** A plan ends after so many offers. */
  readonly mostOffers: number
  /** So many customers at most are told of one time. */
  readonly mostTold: number
}

/**
 * Plans who is offered which free time: each customer in turn gets the earliest time that suits them, became free after they joined
 * and was not offered to them before. A time that is held for one customer goes to nobody else in the plan. A time that is not held can go to several
 * customers who wait for the same type. Source: rules Z3 and Z5.
 */
export function planOffers(planning: Planning): PlannedOffer[] {
  const { customers, nowMs, timeZone, mostOffers, mostTold } = planning
  const times = buildTimes(planning)
  /** How many were told of a start. */
  const told = new Map<number, number>()
  const offers: PlannedOffer[] = []
  for (const customer of customers) {
    if (offers.length === mostOffers) break
    const startMs = times.findFor(customer)
    if (startMs === null) continue
    const { id: customerId, typeId } = customer
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
  /** The earliest free time that suits a customer. */
  readonly findFor: (customer: WaitingCustomer) => number | null
  /**
   * Takes a time from everybody, with all that overlaps it or its buffer. A time that is open to more stays for those who want the
   * same type.
   */
  readonly take: (startMs: number, typeId: string | null, isOpenToMore: boolean) => void
}

/** The times that are still free while a plan is made. */
function buildTimes({ free, bufferMinutes }: Planning): Times {
  const types = new Map(
    free.map((type) => {
      const startsMs = type.starts.map(({ startMs }) => startMs)
      return [type.typeId, { ...type, startsMs, taken: new Set<number>() }]
    }),
  )
  /** As the clocks of a zone read them, by type and zone. */
  const read = new Map<string, readonly (ReadTime & FreedStart)[]>()
  const readIn = (typeId: string | null, starts: readonly FreedStart[], timeZone: string) => {
    const key = `${typeId} ${timeZone}`
    const times = read.get(key) ?? starts.map((start) => ({ ...start, ...readTime(start.startMs, timeZone) }))
    read.set(key, times)
    return times
  }
  return {
    findFor(customer) {
      const type = types.get(customer.typeId)
      if (type === undefined || type.taken.size === type.starts.length) return null
      const times = readIn(customer.typeId, type.starts, customer.timeZone)
      for (let i = findIndex(times.length, (at) => (times[at]?.date ?? '') >= customer.fromDate); ; i++) {
        const time = times[i]
        if (time === undefined || time.date > customer.toDate) return null
        const isGone = type.taken.has(time.startMs) || customer.offeredBefore.has(time.startMs)
        const isFreed = time.lookNo > customer.joinedAtLook
        if (isFreed && !isGone && matchesRequest(customer, time)) return time.startMs
      }
    },
    take(startMs, typeId, isOpenToMore) {
      const bufferMs = bufferMinutes * MINUTE_MS
      const endMs = startMs + lengthOf(types.get(typeId)) + bufferMs
      for (const other of types.values()) {
        const fromMs = startMs - bufferMs - lengthOf(other)
        for (const time of listBetween(other.startsMs, fromMs, endMs)) {
          if (!(isOpenToMore && time === startMs && other.typeId === typeId)) other.taken.add(time)
        }
      }
    },
  }
}

function lengthOf(type: Pick<FreeTimes, 'durationMinutes'> | undefined): number {
  return (type?.durationMinutes ?? 0) * MINUTE_MS
}

/** The starts between `afterMs` and `beforeMs`, without these two. `startsMs` is in order. */
function listBetween(startsMs: readonly number[], afterMs: number, beforeMs: number): readonly number[] {
  const from = findIndex(startsMs.length, (i) => (startsMs[i] ?? 0) > afterMs)
  const until = findIndex(startsMs.length, (i) => (startsMs[i] ?? 0) >= beforeMs)
  return startsMs.slice(from, until)
}

/** The first index for which `isSo` is true. It must be true for all later ones, too. `length` when there is none. */
function findIndex(length: number, isSo: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(middle)) high = middle
    else low = middle + 1
  }
  return low
}
