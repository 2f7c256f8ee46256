import { LONGEST_HOLD_MS } from '#core/appointments/hold.ts'
import { ProviderError, type ProviderName } from '#server/ports/payment-provider.ts'
import type { RemainingCheckouts } from '#server/records/calendars/use-cases.ts'
import {
  findPayment,
  listRefundsDue,
  listUnsettledPayments,
  type Payment,
} from '#server/records/ledger/ledger-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { releaseOrExtendHold } from './release-or-extend-hold.ts'
import { recordUnpaidAnswer } from './retry-unanswered-payments.ts'
import { findOwedRefund } from './return-payment.ts'
import { runInBatches } from './run-in-batches.ts'
import { settleWithProvider } from './settle-with-provider.ts'

/** The most serious state first. Source: rule P16. */
const BY_WEIGHT = ['under_way', 'unanswered', 'unknown'] as const

const ENDED_BY_OWNER = 'The owner ended this way to pay.'

/**
 * Ends the open checkouts of a calendar, optionally of one provider only, before the provider is disconnected or the calendar
 * deleted, and makes the refunds that are due. Waits no longer than a hold can last: after that, unknown payments and failed
 * refunds are left to the owner.
 */
export async function endOpenCheckouts(
  deps: CheckoutsDeps,
  { calendarId, provider = null }: { calendarId: string; provider?: ProviderName | null },
): Promise<RemainingCheckouts> {
  const scope = { calendarId, provider }
  const unsettled = await listUnsettledPayments(deps.db, scope)
  const left = await runInBatches(unsettled, (payment) => endOne(deps, payment))
  // These include payments that the loop above found to be late.
  left.push(
    ...(await runInBatches(await listRefundsDue(deps.db, scope), (payment) => tryToReturn(deps, payment))),
  )
  return BY_WEIGHT.find((what) => left.includes(what)) ?? 'ended'
}

async function endOne(deps: CheckoutsDeps, payment: Payment): Promise<RemainingCheckouts> {
  const progress = await settleWithProvider(deps, payment, 'endCheckout')
  if (progress === 'settled') return 'ended'
  if (payment.status === 'failed') {
    await recordUnpaidAnswer(deps, payment, progress)
    return 'ended'
  }
  const ending = progress === 'open' ? 'given_up' : progress
  const outcome = await releaseOrExtendHold(deps, payment, { progress: ending, failure: ENDED_BY_OWNER })
  if (outcome !== 'kept') return 'ended'
  if (progress !== 'unknown') return 'under_way'
  return (await findPayment(deps.db, payment))?.status === 'capturing' ? 'unanswered' : 'unknown'
}

async function tryToReturn(deps: CheckoutsDeps, payment: Payment): Promise<RemainingCheckouts> {
  const owed = findOwedRefund(deps, payment)
  if (owed === null) return 'ended'
  try {
    await owed.returnMoney()
    return 'ended'
  } catch (err) {
    if (!(err instanceof ProviderError)) throw err
    const isOld = deps.now() - owed.sinceMs >= LONGEST_HOLD_MS
    // A refusal would be the same in half an hour.
    return err.kind === 'refused' || isOld ? 'ended' : 'unanswered'
  }
}
