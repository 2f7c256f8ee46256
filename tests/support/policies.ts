import type { Policy } from '#core/appointments/policy.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'

/** Customers can cancel online until a day before and are refunded half; two days before, everything. */
export const HALF_REFUND_POLICY: Policy = {
  moving: { kind: 'until', hours: 24, times: 2 },
  cancelling: { kind: 'alone', hours: 24, after: 'never' },
  refunds: [
    { hours: 48, percent: 100 },
    { hours: 24, percent: 50 },
  ],
}

/** The owner saves a policy for a calendar. */
export async function savePolicy(
  meridian: TestMeridian,
  owner: TestOwner,
  calendar: { readonly id: string },
  policy: unknown,
) {
  return meridian.as(owner).patch(`/api/calendars/${calendar.id}`, { policy })
}

/** The token in the signed link of an appointment, as its emails contain it. */
export function manageTokenOf(meridian: TestMeridian, appointmentId: string): string {
  return meridian.deps.manageLinks.tokenOf({ appointmentId, rotation: 0 })
}
