import { SECOND_MS } from '#core/shared/duration.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { findEventCalendar } from './repository.ts'
import { writeEvent } from './write-event.ts'
import {
  acquireWriteLease,
  dequeueNextAppointment,
  releaseWriteLease,
  renewWriteLease,
  type WriteLease,
} from './write-lease-repository.ts'

/** How long one lease is used for further writes, in milliseconds. Afterwards other accounts get their turn. */
export const MAX_LEASE_USE_MS = 10 * SECOND_MS

/**
 * Writes the event of an appointment when its account's lease is free. Otherwise no worker waits: the process that
 * holds the lease writes the event next. Source: rule G11.
 */
export async function writeEventUnderLease(deps: AppointmentEventsDeps, key: AppointmentKey): Promise<void> {
  const place = await findEventCalendar(deps.db, key)
  // The event belongs to no account, so no provider is called.
  if (place === null) return writeEvent(deps, key, null)
  const { connectionId } = place
  const lease = await acquireWriteLease(deps.db, { connectionId, key, now: new Date(deps.now()) })
  if (lease === null) return
  const keys = [key]
  await writeQueuedEvents(deps, lease, {
    findNext: async () => keys.shift() ?? null,
    leaseUseMs: MAX_LEASE_USE_MS,
  })
}

type Use = {
  /**
   * Returns the next appointment to write; null when none is left. It is called at the beginning, and again whenever the
   * queue is empty.
   */
  readonly findNext: () => Promise<AppointmentKey | null>
  readonly leaseUseMs: number
}

/**
 * Writes events to one account, one after the other, until the time limit is reached. Queued appointments come first;
 * if some remain at the end, a job continues.
 */
export async function writeQueuedEvents(
  deps: AppointmentEventsDeps,
  lease: WriteLease,
  { findNext, leaseUseMs }: Use,
): Promise<void> {
  const { connectionId } = lease
  const endMs = performance.now() + leaseUseMs
  const goesOn = async () =>
    performance.now() < endMs && renewWriteLease(deps.db, lease, new Date(deps.now()))
  try {
    for (let key = await findNext(); key !== null; ) {
      await writeEvent(deps, key, connectionId)
      key = (await goesOn())
        ? ((await dequeueNextAppointment(deps.db, connectionId)) ?? (await findNext()))
        : null
    }
  } finally {
    await releaseLeaseAndQueueNext(deps, lease)
  }
}

/** Ends a lease. If appointments are queued, a job for the longest-waiting one continues with all of them. */
async function releaseLeaseAndQueueNext(deps: AppointmentEventsDeps, lease: WriteLease): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const next = await releaseWriteLease(trx, lease)
    if (next !== null) await queueEventWrite(deps, trx, { ...next, isNeeded: true })
  })
}
