import * as fc from '#tests/support/fast-check.ts'

/** Index of a half-hour slot on the only day on which the test calendar is open. */
const slot = fc.integer({ min: 0, max: 5 })
/** Picks one of the existing records. An index past the end wraps around to the first record. */
const index = fc.integer({ min: 0, max: 5 })
const person = fc.integer({ min: 0, max: 2 })
const provider = fc.constantFrom('stripe', 'paypal')
const MINUTE = 60_000

/** One random change made by an owner, a customer, a provider or a worker. */
export const arbitraryChange = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('book'), slot, person }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('check_out'),
      slot,
      person,
      provider,
      // `left`: the customer never pays. `late`: the payment arrives after the hold has expired.
      ending: fc.constantFrom('paid', 'paid', 'paid', 'left', 'late'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move'), index, slot }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move_by_customer'), index, slot }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('act'),
      index,
      action: fc.constantFrom(
        'cancel',
        'cancel',
        'restore',
        'restore',
        'approve_cancellation',
        'deny_cancellation',
        'refund',
        'mark_paid',
        'mark_failed',
      ),
      // In currency units with two decimals; null leaves the amount to the cancellation policy.
      refundAmount: fc.constantFrom(null, null, 30),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel_by_customer'), index }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cancel_day'), refund: fc.constantFrom('all', 'policy') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('offer_day') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait_for_time'), person }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('offer_what_is_free') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('offer_by_hand'), index, slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw_offer'), index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer_offer'),
      index,
      answer: fc.constantFrom('acceptance', 'acceptance', 'payment', 'refusal', 'departure'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('let_offer_end') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase'), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refuse_next_refund') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('work_on_refunds') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refund_at_provider'),
      index,
      cents: fc.constantFrom(1, 1_700),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('settle_refund'),
      index,
      way: fc.constantFrom('retry', 'by_hand'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send_message'), index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      // Long enough to stay within the undo period, to pass a hold, to pass an offer, and to pass a policy deadline.
      ms: fc.constantFrom(20_000, 6 * MINUTE, 5 * 60 * MINUTE, 20 * 60 * MINUTE),
    }),
  },
)
export type ArbitraryChange = typeof arbitraryChange extends fc.Arbitrary<infer Value> ? Value : never
export type ChangeKind = ArbitraryChange['kind']

/** One change of each kind, in an order in which every change succeeds. */
export const ONE_CHANGE_OF_EACH_KIND: readonly ArbitraryChange[] = [
  { kind: 'check_out', slot: 0, person: 0, provider: 'stripe', ending: 'paid' },
  { kind: 'check_out', slot: 1, person: 1, provider: 'paypal', ending: 'paid' },
  { kind: 'check_out', slot: 2, person: 1, provider: 'stripe', ending: 'late' },
  { kind: 'book', slot: 3, person: 1 },
  { kind: 'book', slot: 4, person: 1 },
  { kind: 'book', slot: 5, person: 1 },
  { kind: 'offer_day' },
  { kind: 'refund_at_provider', index: 0, cents: 1 },
  { kind: 'wait_for_time', person: 2 },
  { kind: 'send_message', index: 0 },
  { kind: 'refuse_next_refund' },
  { kind: 'act', index: 0, action: 'cancel', refundAmount: 30 },
  { kind: 'act', index: 1, action: 'cancel', refundAmount: 30 },
  { kind: 'act', index: 2, action: 'cancel', refundAmount: 30 },
  { kind: 'work_on_refunds' },
  { kind: 'settle_refund', index: 0, way: 'by_hand' },
  { kind: 'offer_what_is_free' },
  { kind: 'let_offer_end' },
  { kind: 'offer_what_is_free' },
  { kind: 'withdraw_offer', index: 0 },
  { kind: 'offer_by_hand', index: 0, slot: 2 },
  { kind: 'answer_offer', index: 0, answer: 'payment' },
  { kind: 'move', index: 3, slot: 1 },
  { kind: 'move_by_customer', index: 3, slot: 0 },
  { kind: 'wait', ms: 6 * MINUTE },
  { kind: 'cancel_by_customer', index: 3 },
  { kind: 'cancel_day', refund: 'policy' },
  { kind: 'erase', index: 0 },
]
