import { MINUTE_MS } from '#core/shared/duration.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { acquireTurnForSweep } from './turn-repository.ts'
import { findWaitingAccount, findWaitingAppointment } from './waiting-repository.ts'
import { writeEvent } from './write-event.ts'
import { LONGEST_TURN_MS, writeDuringTurn } from './write-in-turn.ts'

/** Appointments that one round writes at most; the next round goes on. */
const WRITTEN_AT_ONCE = 1_000
/** Longest round, in milliseconds, below the time after which the job counts as lost. */
const LONGEST_ROUND_MS = 5 * MINUTE_MS

type Round = {
  /** Ids of the appointments that had their try. */
  readonly tried: string[]
  readonly turnMs: number
}

/**
 * Writes what waits, one account after the other, each for a short time: first the one that the sweep left alone for longest. Within an
 * account it goes in order and one by one, as a provider that is back is not to be met by everything at once. Rounds side by side keep
 * out of each other's way. Source: rule G11.
 */
export async function writeWaitingEvents(
  deps: AppointmentEventsDeps,
  { turnMs = LONGEST_TURN_MS }: { readonly turnMs?: number } = {},
): Promise<void> {
  const round: Round = { tried: [], turnMs }
  const endMs = performance.now() + LONGEST_ROUND_MS
  while (round.tried.length < WRITTEN_AT_ONCE && performance.now() < endMs) {
    const account = await findWaitingAccount(deps.db, { now: new Date(deps.now()), except: round.tried })
    if (account === null) return
    const { connectionId } = account
    try {
      await sweepAccount(deps, connectionId, round)
    } catch (err) {
      // The event had its try: the others go on.
      deps.log.error({ err, connectionId }, 'an event could not be written')
    }
  }
}

/** The events of one account; null stands for those that have none. */
async function sweepAccount(
  deps: AppointmentEventsDeps,
  connectionId: string | null,
  { tried, turnMs }: Round,
): Promise<void> {
  const findNext = async () => {
    if (tried.length >= WRITTEN_AT_ONCE) return null
    const key = await findWaitingAppointment(deps.db, connectionId, {
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
  const turn = await acquireTurnForSweep(deps.db, connectionId, new Date(deps.now()))
  if (turn !== null) await writeDuringTurn(deps, turn, { findNext, turnMs })
}
