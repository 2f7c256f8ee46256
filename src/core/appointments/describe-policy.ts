import { HOUR_MS } from '#core/shared/duration.ts'
import type { CancellingTerms, MovingTerms, Policy, RefundTier } from './policy.ts'

type Audience = {
  readonly hasPrice: boolean
  /** The time until the appointment starts, in milliseconds, if it is booked. Absent: every deadline is still ahead. */
  readonly leftMs?: number
}

/**
 * Describes a policy in sentences for customers. Refunds are left out when there is no price. After a deadline,
 * they say what the customer can still do. Source: rule Q7.
 */
export function describePolicy(
  policy: Policy,
  { hasPrice, leftMs = Number.POSITIVE_INFINITY }: Audience,
): string {
  const isAhead = ({ hours }: { readonly hours: number }) => hours * HOUR_MS <= leftMs
  const { moving, cancelling } = policy
  const canMove = moving.kind === 'until' && isAhead(moving)
  const refunds = policy.refunds.filter(isAhead)
  const sentences = [
    canMove || moving.kind === 'never'
      ? describeMoving(moving)
      : 'It’s too late to move this appointment online. Please contact the practice.',
    cancelling.kind === 'by_request' || isAhead(cancelling)
      ? describeCancelling(cancelling)
      : cancelling.after === 'by_request'
        ? describeCancelling({ kind: 'by_request' })
        : 'It’s too late to cancel it.',
  ]
  if (hasPrice) {
    const areOver = refunds.length === 0 && policy.refunds.length > 0
    sentences.push(areOver ? NO_REFUND : describeRefunds(refunds))
  }
  if (hasPrice && canMove && refunds.some(({ percent }) => percent > 0)) sentences.push(AFTER_A_MOVE)
  return sentences.join(' ')
}

/** A booked appointment with its policy, and the sentences that its customer read. */
type BookedPolicy = {
  readonly policy: Policy | null
  readonly policy_text: string | null
  readonly price_cents: number | null
  readonly starts_at: Date
}

/**
 * Describes what the policy of a booking still allows: in the sentences that its customer read, until a deadline has passed. Null
 * when the appointment has started. Source: rule Q7.
 */
export function describeBookedPolicy(
  { policy, policy_text, price_cents, starts_at }: BookedPolicy,
  nowMs: number,
): string | null {
  const leftMs = starts_at.getTime() - nowMs
  if (policy_text === null || policy === null || leftMs <= 0) return leftMs > 0 ? policy_text : null
  const hasPrice = (price_cents ?? 0) > 0
  const now = describePolicy(policy, { hasPrice, leftMs })
  return now === describePolicy(policy, { hasPrice }) ? policy_text : now
}

const NO_REFUND = 'Cancellations aren’t refunded.'

/** Source: rule Q8. */
const AFTER_A_MOVE = 'Moving it doesn’t increase your refund.'

function describeMoving(moving: MovingTerms): string {
  if (moving.kind === 'never') return 'You can’t move this appointment yourself.'
  const often = moving.times === null ? '' : `, at most ${timesOf(moving.times)}`
  return `You can move this appointment until ${before(moving.hours)}${often}.`
}

function describeCancelling(cancelling: CancellingTerms): string {
  if (cancelling.kind === 'by_request') return 'You can request cancellation until it starts.'
  const alone = `You can cancel it until ${before(cancelling.hours)}.`
  // The appointment has started by then, so there is nothing to add.
  if (cancelling.hours === 0) return alone
  return cancelling.after === 'by_request'
    ? `${alone} After that you can request cancellation.`
    : `${alone} After that it can’t be cancelled.`
}

function describeRefunds(rows: readonly RefundTier[]): string {
  if (rows.length === 0) return 'Refunds are decided case by case.'
  const promises = rows.filter(({ percent }) => percent > 0)
  if (promises.length === 0) return NO_REFUND
  const parts = promises.map(
    ({ hours, percent }, at) => `${percent}% ${at === 0 ? 'back ' : ''}until ${before(hours)}`,
  )
  const last = promises.at(-1)?.hours === 0 ? 'nothing if you don’t come' : 'nothing after that'
  return `If you cancel, you get ${parts.join(', ')}, and ${last}.`
}

/** Adds the days in brackets. The hours are exact; a day can have 23 or 25 hours. */
function before(hours: number): string {
  if (hours === 0) return 'it starts'
  const days = hours / 24
  const inDays = hours > 48 && Number.isInteger(days) ? ` (${days} days)` : ''
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}${inDays} before it starts`
}

function timesOf(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}
