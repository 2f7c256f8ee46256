import type { LightMyRequestResponse } from 'fastify'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'

type OwnPractice = {
  readonly meridian: TestMeridian
  readonly owner: TestOwner
  readonly calendar: { readonly id: string }
}

type Payload = {
  readonly action: AppointmentAction
  /** The appointment state that the owner saw; left out in tests where it does not matter. */
  readonly was?: object | undefined
  readonly refund_amount?: number | undefined
}

/** Sends the request that the dashboard sends when the owner presses one of an appointment's buttons. */
export function sendAppointmentAction(
  { meridian, owner, calendar }: OwnPractice,
  id: string,
  payload: Payload,
): Promise<LightMyRequestResponse> {
  return meridian.as(owner).post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, payload)
}
