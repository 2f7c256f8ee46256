import type { CancellingTerms, MovingTerms, Policy, RefundTier } from './policy.ts'

/** Describes a policy in sentences for customers. Refunds are left out when there is no price. Source: rule Q7. */
export function describePolicy(policy: Policy, { hasPrice }: { readonly hasPrice: boolean }): string {
  const sentences = [describeMoving(policy.moving), describeCancelling(policy.cancelling)]
  if (hasPrice) sentences.push(describeRefunds(policy.refunds))
  const promises = policy.refunds.some(({ percent }) => percent > 0)
  if (hasPrice && promises && policy.moving.kind !== 'never') sentences.push(AFTER_A_MOVE)
  return sentences.join(' ')
}

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
  if (promises.length === 0) return 'Cancellations aren’t refunded.'
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
