import type { RefusalsResponse } from '#contract/calendars/refusals.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { insertRefusal, listRefusals, type StoredRefusal } from './repository.ts'
import { StartRefusal } from './start-refusal.ts'

/**
 * Runs a customer's booking or move. If the time was refused, stores why, after the transaction was rolled back. The customer gets the
 * same refusal whether or not it can be stored. Source: rule T75.
 */
export async function keepingRefusal<Result>(
  deps: { readonly db: Db; readonly now: Clock; readonly log: Pick<Log, 'error'> },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StartRefusal)
      await insertRefusal(deps.db, error.refused, new Date(deps.now())).catch((failure: unknown) =>
        deps.log.error({ err: failure }, 'A refused booking was not recorded'),
      )
    throw error
  }
}

/**
 * Returns a page of the refused bookings of one of the owner's calendars, newest first. Source: rule T76.
 * @throws ProblemError `calendar.*`
 */
export async function getRefusals(
  { db }: { readonly db: Db },
  ownerId: OwnerId,
  calendarId: string,
  { before }: { readonly before?: string | undefined },
): Promise<RefusalsResponse> {
  await getOwnCalendar({ db }, ownerId, calendarId)
  const size = LIMITS.activityPage
  const found = await listRefusals(db, calendarId, { before, limit: size + 1 })
  const page = found.slice(0, size)
  return {
    refusals: page.map(toRefusal),
    next: found.length > size ? (page.at(-1)?.number ?? null) : null,
  }
}

export function toRefusal({ number: _, at, starts_at, ...refusal }: StoredRefusal) {
  return { ...refusal, at: at.toISOString(), starts_at: starts_at.toISOString() }
}
