import { MINUTE_MS } from '#core/shared/duration.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { findAccountWithPendingEvents, findAppointmentWithPendingEvent } from './pending-repository.ts'
import { writeEvent } from './write-event.ts'
import { acquireWriteLeaseForSweep } from './write-lease-repository.ts'
import { MAX_LEASE_USE_MS, writeQueuedEvents } from './write-under-lease.ts'

/** Maximum number of appointments per run; the next run continues. */
const WRITTEN_AT_ONCE = 1_000
/** Maximum duration of a run, in milliseconds. It is shorter than the time after which the job counts as lost. */
const LONGEST_ROUND_MS = 5 * MINUTE_MS

type Round = {
  /** The ids of the appointments for which a write was attempted. */
  readonly tried: string[]
  readonly leaseUseMs: number
}

/**
 * Writes pending events, one account after the other and each for a short time. The account that the sweep visited
 * longest ago comes first. Within an account, events are written one by one, so that a recovering provider is not
 * flooded. Concurrent runs do not interfere with each other. Source: rule G11.
 */
export async function writePendingEvents(
  deps: AppointmentEventsDeps,
  { leaseUseMs = MAX_LEASE_USE_MS }: { readonly leaseUseMs?: number } = {},
): Promise<void> {
  const round: Round = { tried: [], leaseUseMs }
  const endMs = performance.now() + LONGEST_ROUND_MS
  while (round.tried.length < WRITTEN_AT_ONCE && performance.now() < endMs) {
    const account = await findAccountWithPendingEvents(deps.db, {
      now: new Date(deps.now()),
      except: round.tried,
    })
    if (account === null) return
    const { connectionId } = account
    try {
      await sweepAccount(deps, connectionId, round)
    } catch (err) {
      // The failed event is left for a later run; continue with the others.
      deps.log.error({ err, connectionId }, 'an event could not be written')
    }
  }
}

/** Writes the events of one account; null stands for events without an account. */
async function sweepAccount(
  deps: AppointmentEventsDeps,
  connectionId: string | null,
  { tried, leaseUseMs }: Round,
): Promise<void> {
  const findNext = async () => {
    if (tried.length >= WRITTEN_AT_ONCE) return null
    const key = await findAppointmentWithPendingEvent(deps.db, connectionId, {
      now: new Date(deps.now()),
      except: tried,
    })
    if (key !== null) tried.push(key.id)
    return key
  }
  if (connectionId === null) {
    const key = await findNext()
    if (key !== null) await writeEvent(deps, key, null)
    return
  }
  const lease = await acquireWriteLeaseForSweep(deps.db, connectionId, new Date(deps.now()))
  if (lease !== null) await writeQueuedEvents(deps, lease, { findNext, leaseUseMs })
}
