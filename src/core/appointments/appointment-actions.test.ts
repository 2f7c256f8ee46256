import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import {
  APPOINTMENT_ACTIONS,
  type AppointmentAction,
  type AppointmentState,
  affectsCalendars,
  decideAction,
  isActionAlreadyDone,
  listPaymentActions,
  listStatusActions,
  needsConfirmation,
  type PaymentStatus,
} from './appointment-actions.ts'
import type { AppointmentStatus } from './cancellation-request.ts'

const STATUSES = ['confirmed', 'cancelled', 'pending_cancellation', 'pending_payment'] as const
const PAYMENTS = ['not_required', 'pending', 'paid', 'failed', 'refunded'] as const
const STATES = STATUSES.flatMap((status) => PAYMENTS.map((paymentStatus) => ({ status, paymentStatus })))

describe('owner actions on the status (rule A2)', () => {
  test.each([
    ['confirmed', 'not_required', ['cancel']],
    ['confirmed', 'paid', ['cancel']],
    ['pending_payment', 'paid', ['confirm', 'cancel']],
    ['pending_payment', 'pending', []],
    ['pending_cancellation', 'not_required', ['approve_cancellation', 'deny_cancellation']],
    ['pending_cancellation', 'paid', ['approve_cancellation', 'deny_cancellation']],
    ['cancelled', 'not_required', ['restore']],
    ['cancelled', 'refunded', ['restore']],
  ] as const)('%s, %s offers %j', (status, paymentStatus, actions) => {
    expect(listStatusActions({ status, paymentStatus })).toEqual(actions)
  })

  test.each([
    ['cancel', 'confirmed', 'pending', 'cancelled', 'cancelled'],
    ['cancel', 'pending_payment', 'paid', 'cancelled', 'cancelled'],
    ['approve_cancellation', 'pending_cancellation', 'paid', 'cancelled', 'cancelled'],
    ['deny_cancellation', 'pending_cancellation', 'paid', 'confirmed', 'cancellation_denied'],
    ['restore', 'cancelled', 'refunded', 'confirmed', 'restored'],
    ['confirm', 'pending_payment', 'paid', 'confirmed', 'confirmed'],
  ] as const)('%s makes of %s, %s: %s, announced as %s, and leaves the payment alone', (...row) => {
    const [action, status, paymentStatus, result, announces] = row
    expect(decideAction(action, { status, paymentStatus })).toEqual({
      ok: true,
      to: { status: result, paymentStatus },
      takesTime: action === 'restore',
      announces,
    })
  })
})

describe('owner actions on the payment (rule A2)', () => {
  test.each([
    ['not_required', ['mark_paid', 'mark_pending', 'mark_failed']],
    ['pending', ['mark_paid', 'mark_failed', 'mark_not_required']],
    ['paid', ['refund']],
    ['failed', ['mark_paid', 'mark_pending', 'mark_not_required']],
    ['refunded', ['mark_paid', 'mark_pending', 'mark_failed', 'mark_not_required']],
  ] as const)('%s offers %j, whatever the status is', (paymentStatus, actions) => {
    for (const status of STATUSES) expect(listPaymentActions({ status, paymentStatus })).toEqual(actions)
  })

  test.each([
    ['mark_paid', 'confirmed', 'pending', 'confirmed', 'paid', null],
    ['mark_paid', 'pending_payment', 'pending', 'confirmed', 'paid', 'confirmed'],
    ['mark_paid', 'cancelled', 'failed', 'confirmed', 'paid', 'restored'],
    ['refund', 'confirmed', 'paid', 'cancelled', 'refunded', 'cancelled'],
    ['refund', 'pending_payment', 'paid', 'cancelled', 'refunded', 'cancelled'],
    ['refund', 'cancelled', 'paid', 'cancelled', 'refunded', null],
    ['mark_failed', 'confirmed', 'pending', 'cancelled', 'failed', 'cancelled'],
    ['mark_failed', 'pending_payment', 'pending', 'cancelled', 'failed', 'cancelled'],
    ['mark_failed', 'cancelled', 'refunded', 'cancelled', 'failed', null],
    ['mark_pending', 'confirmed', 'not_required', 'pending_payment', 'pending', null],
    ['mark_pending', 'cancelled', 'failed', 'pending_payment', 'pending', 'restored'],
    ['mark_not_required', 'confirmed', 'pending', 'confirmed', 'not_required', null],
    ['mark_not_required', 'cancelled', 'failed', 'cancelled', 'not_required', null],
    ['mark_not_required', 'pending_payment', 'pending', 'pending_payment', 'not_required', null],
  ] as const)('%s makes of %s, %s: %s, %s, announced as %s', (...row) => {
    const [action, status, paymentStatus, toStatus, toPayment, announces] = row
    expect(decideAction(action, { status, paymentStatus })).toEqual({
      ok: true,
      to: { status: toStatus, paymentStatus: toPayment },
      takesTime: status === 'cancelled' && toStatus !== 'cancelled',
      announces,
    })
  })

  test.each([
    ['mark_paid', 'pending', 'paid'],
    ['refund', 'paid', 'refunded'],
    ['mark_failed', 'pending', 'failed'],
    ['mark_pending', 'failed', 'pending'],
    ['mark_not_required', 'pending', 'not_required'],
  ] as const)(
    'while the customer waits for an answer about cancelling, %s changes only the payment',
    (...row) => {
      const [action, before, after] = row
      expect(decideAction(action, { status: 'pending_cancellation', paymentStatus: before })).toEqual({
        ok: true,
        to: { status: 'pending_cancellation', paymentStatus: after },
        takesTime: false,
        announces: null,
      })
    },
  )
})

describe('whoever acts', () => {
  test.each([
    ['cancel', 'confirmed', 'paid', true],
    ['approve_cancellation', 'pending_cancellation', 'pending', true],
    ['refund', 'confirmed', 'paid', true],
    ['refund', 'cancelled', 'paid', true],
    ['mark_failed', 'confirmed', 'pending', true],
    ['mark_failed', 'pending_cancellation', 'pending', false],
    ['mark_failed', 'cancelled', 'pending', false],
    ['mark_paid', 'confirmed', 'pending', false],
    ['mark_paid', 'cancelled', 'pending', true],
    ['mark_paid', 'pending_payment', 'pending', false],
    ['mark_pending', 'cancelled', 'failed', true],
    ['mark_pending', 'confirmed', 'not_required', true],
    ['mark_pending', 'pending_cancellation', 'not_required', false],
    ['mark_not_required', 'cancelled', 'pending', false],
    ['restore', 'cancelled', 'refunded', true],
    ['restore', 'cancelled', 'paid', false],
    ['restore', 'confirmed', 'paid', false],
  ] as const)('is asked before %s of %s, %s: %s', (action, status, paymentStatus, asked) => {
    expect(needsConfirmation(action, { status, paymentStatus })).toBe(asked)
  })

  test('isDoneAlready is true exactly when the appointment has the resulting state', () => {
    const seen: AppointmentState = { status: 'confirmed', paymentStatus: 'pending' }
    expect(isActionAlreadyDone('cancel', seen, { status: 'cancelled', paymentStatus: 'pending' })).toBe(true)
    expect(isActionAlreadyDone('cancel', seen, { status: 'cancelled', paymentStatus: 'failed' })).toBe(false)
    expect(isActionAlreadyDone('restore', seen, seen)).toBe(false)
  })
})

describe('any sequence of actions', () => {
  const anyAction = fc.constantFrom(...APPOINTMENT_ACTIONS)
  const anyState = fc.constantFrom<AppointmentState>(...STATES)

  test('takes time exactly when it leaves the cancelled state, and updates calendars when it enters or leaves it', () => {
    walk((_action, from, decision) => {
      const was = from.status === 'cancelled'
      const is = decision.to.status === 'cancelled'
      expect(decision.takesTime).toBe(was && !is)
      if (was !== is) expect(affectsCalendars(decision.announces)).toBe(true)
      if (from.status === decision.to.status) expect(decision.announces).toBeNull()
    })
  })

  test('leaves the paid state only by a refund, and refunds only what is paid', () => {
    walk((action, from, { to }) => {
      if (from.paymentStatus === 'paid' && to.paymentStatus !== 'paid') expect(action).toBe('refund')
      if (to.paymentStatus === 'refunded' && from.paymentStatus !== 'refunded') {
        expect([action, from.paymentStatus]).toEqual(['refund', 'paid'])
      }
    })
  })

  test('an action cannot be repeated with another result', () => {
    walk((action, from, { to }) => {
      expect(isActionAlreadyDone(action, from, to)).toBe(true)
      const again = decideAction(action, to)
      expect(again.ok).toBe(false)
    })
  })

  test('never creates a cancellation request, and ends one only by an answer', () => {
    const answers: AppointmentAction[] = ['approve_cancellation', 'deny_cancellation']
    walk((action, from, { to }) => {
      if (to.status === 'pending_cancellation') expect(from.status).toBe('pending_cancellation')
      if (from.status === 'pending_cancellation' && to.status !== from.status) {
        expect(answers).toContain(action)
      }
    })
  })

  test('every state can lead back to a confirmed appointment', () => {
    for (const state of STATES) expect(reachable(state)).toContain('confirmed')
  })

  /** Applies random actions one after another, and passes each permitted one to `look`. */
  function walk(
    look: (
      action: AppointmentAction,
      from: AppointmentState,
      decision: Extract<ReturnType<typeof decideAction>, { ok: true }>,
    ) => void,
  ): void {
    fc.assert(
      fc.property(anyState, fc.array(anyAction, { maxLength: 12 }), (start, actions) => {
        let state = start
        for (const action of actions) {
          const decision = decideAction(action, state)
          if (!decision.ok) continue
          look(action, state, decision)
          state = decision.to
        }
      }),
      { numRuns: 500 },
    )
  }

  function reachable(start: AppointmentState): AppointmentStatus[] {
    const found = new Map<string, AppointmentState>([[keyOf(start), start]])
    // Iterating a Map also visits entries added during the iteration.
    for (const state of found.values()) {
      for (const action of APPOINTMENT_ACTIONS) {
        const decision = decideAction(action, state)
        if (decision.ok) found.set(keyOf(decision.to), decision.to)
      }
    }
    return [...found.values()].map(({ status }) => status)
  }

  function keyOf({ status, paymentStatus }: { status: AppointmentStatus; paymentStatus: PaymentStatus }) {
    return `${status} ${paymentStatus}`
  }
})
