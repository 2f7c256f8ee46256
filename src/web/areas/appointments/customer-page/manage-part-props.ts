import type { ManagedAppointment } from '#contract/appointments/customer-page.ts'

/** Props of each part of the customer's page. */
export type ManagePartProps = {
  /** The token of the page's signed link. */
  readonly token: string
  readonly view: ManagedAppointment
  /** Reloads the appointment after a part has changed it. */
  readonly onChanged: () => Promise<unknown>
}

/** Props of a part that can move or cancel the appointment. */
export type ChangePartProps = ManagePartProps & {
  /** Reloads the appointment and focuses the heading, which shows its new state. */
  readonly showOutcome: () => Promise<void>
}
