import type { Refunds } from '#server/ports/refunds.ts'

/** Refunds where no payment provider is at work: the owner gives back what the owner was given. */
export const manualRefunds: Refunds = {
  async refund() {
    return {
      processed: 'manual',
      warning:
        'Payments must be processed manually: only the record was updated, so please return the money yourself.',
    }
  },
}
