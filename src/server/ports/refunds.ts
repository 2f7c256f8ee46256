/** A payment that is to go back whole. The appointment's id names it: asked twice, it goes back once. */
export type RefundRequest = {
  readonly calendarId: string
  readonly appointmentId: string
  /** Minor units of `currency`. */
  readonly amountCents: number
  readonly currency: string
}

export type RefundAnswer = {
  /** `manual`: no provider took the payment, so only our record changes and the owner returns the money. */
  readonly processed: 'provider' | 'manual'
  /** What the owner has to know or to do. */
  readonly warning: string | null
}

/** The way money goes back to a customer. */
export type Refunds = {
  /** Resolves when the provider has taken the refund over; rejects when it has not, and then nothing has changed. */
  refund(request: RefundRequest): Promise<RefundAnswer>
}
