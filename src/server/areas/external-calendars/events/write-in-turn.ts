import { SECOND_MS } from '#core/shared/duration.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { findEventPlace } from './repository.ts'
import { type AccountTurn, acquireTurn, claimNextAwaiting, endTurn, renewTurn } from './turn-repository.ts'
import { writeEvent } from './write-event.ts'

/** How long one lease is used for further writes, in milliseconds. Afterwards other accounts get their turn. */
export const LONGEST_TURN_MS = 10 * SECOND_MS

/**
 * Writes the event of an appointment when its account's lease is free. Otherwise no worker waits: the process that
 * holds the lease writes the event next. Source: rule G11.
 */
export async function writeInTurn(deps: AppointmentEventsDeps, key: AppointmentKey): Promise<void> {
  const place = await findEventPlace(deps.db, key)
  // The event belongs to no account, so no provider is called.
  if (place === null) return writeEvent(deps, key, null)
  const { connectionId } = place
  const turn = await acquireTurn(deps.db, { connectionId, key, now: new Date(deps.now()) })
  if (turn === null) return
  const keys = [key]
  await writeDuringTurn(deps, turn, { findNext: async () => keys.shift() ?? null, turnMs: LONGEST_TURN_MS })
}

type Use = {
  /**
   * Returns the first appointment to write and then, whenever the queue is empty, the next one; null when none is left.
   */
  readonly findNext: () => Promise<AppointmentKey | null>
  readonly turnMs: number
}

/**
 * Writes events to one account, one after the other, until the time limit is reached. Queued appointments come first;
 * if some remain at the end, a job continues.
 */
export async function writeDuringTurn(
  deps: AppointmentEventsDeps,
  turn: AccountTurn,
  { findNext, turnMs }: Use,
): Promise<void> {
  const { connectionId } = turn
  const endMs = performance.now() + turnMs
  const goesOn = async () => performance.now() < endMs && renewTurn(deps.db, turn, new Date(deps.now()))
  try {
    for (let key = await findNext(); key !== null; ) {
      await writeEvent(deps, key, connectionId)
      key = (await goesOn()) ? ((await claimNextAwaiting(deps.db, connectionId)) ?? (await findNext())) : null
    }
  } finally {
    await endTurnAndQueueNext(deps, turn)
  }
}

/** Ends a lease. If appointments are queued, a job for the longest-waiting one continues with all of them. */
async function endTurnAndQueueNext(deps: AppointmentEventsDeps, turn: AccountTurn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const next = await endTurn(trx, turn)
    if (next !== null) await queueEventWrite(deps, trx, { ...next, isNeeded: true })
  })
}
