import { SECOND_MS } from '#core/shared/duration.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { findEventPlace } from './repository.ts'
import { type AccountTurn, acquireTurn, claimNextAwaiting, endTurn, renewTurn } from './turn-repository.ts'
import { writeEvent } from './write-event.ts'

/** How long one turn goes on to further writes, in milliseconds. Then other accounts come first. */
export const LONGEST_TURN_MS = 10 * SECOND_MS

/**
 * Makes the event of an appointment match it when it is the turn of its account. While somebody else has the turn, no worker waits
 * for it: the appointment is written next by whoever has it. Source: rule G11.
 */
export async function writeInTurn(deps: AppointmentEventsDeps, key: AppointmentKey): Promise<void> {
  const place = await findEventPlace(deps.db, key)
  // Nobody has to be asked.
  if (place === null) return writeEvent(deps, key, null)
  const { connectionId } = place
  const turn = await acquireTurn(deps.db, { connectionId, key, now: new Date(deps.now()) })
  if (turn === null) return
  const keys = [key]
  await writeDuringTurn(deps, turn, { findNext: async () => keys.shift() ?? null, turnMs: LONGEST_TURN_MS })
}

type Use = {
  /** What is written first, and when nobody waits for the turn; null when there is nothing more. */
  readonly findNext: () => Promise<AppointmentKey | null>
  readonly turnMs: number
}

/**
 * Writes events to one account, one after the other, until its time is over. Who was turned away meanwhile comes first, and what is
 * left of them in the end has a job of its own.
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
    await passOn(deps, turn)
  }
}

/** Ends a turn. The job of the one who waited longest writes the others that wait as well. */
async function passOn(deps: AppointmentEventsDeps, turn: AccountTurn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const next = await endTurn(trx, turn)
    if (next !== null) await queueEventWrite(deps, trx, { ...next, isNeeded: true })
  })
}
