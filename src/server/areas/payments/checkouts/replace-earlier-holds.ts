import { listHoldsOfPerson } from '#server/areas/appointments/holds/repository.ts'
import type { HoldOwner } from '#server/areas/appointments/holds/to-hold-owner.ts'
import { refuseHoldOverLimitEarly } from '#server/areas/appointments/holds/use-cases.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  getBookingRequirements,
  getSchedulingCalendar,
  toConflictTime,
} from '#server/records/slots/use-cases.ts'
import { tryToReleaseHold } from './end-checkouts.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'

const REPLACED = 'The customer chose another time.'

type Replacing = {
  readonly slug: string
  /** The idempotency key of the request for the new hold. */
  readonly key: string | null
  readonly holder: HoldOwner
  readonly startsAtMs: number
  readonly typeId: string | null
}

/**
 * Releases the holds of the same person on a calendar before that person holds another time there, and also their holds
 * on the professional's other calendars that overlap the new time. Refuses a customer who has reached a hold limit.
 * Runs before the transaction of the new hold, because it calls the provider. Source: rule H6.
 * @throws ProblemError `calendar.not_found`, `hold.*`
 */
export async function replaceEarlierHolds(
  deps: CheckoutsDeps,
  { slug, key, holder, startsAtMs, typeId }: Replacing,
): Promise<void> {
  const { id: calendarId, rules } = await getSchedulingCalendar(deps.db, slug)
  await refuseHoldOverLimitEarly(deps, deps.db, {
    reason: 'payment',
    holder,
    calendarId,
    startsAtMs,
    nowMs: deps.now(),
  })
  const during = toConflictTime(startsAtMs, await getBookingRequirements(deps.db, calendarId, typeId), rules)
  for (const earlier of await listHoldsOfPerson(deps.db, { holder, calendarId, during, key })) {
    if ((await tryToReleaseHold(deps, earlier, REPLACED)).outcome === 'kept') {
      throw new ProblemError('hold.earlier_under_way')
    }
  }
}
