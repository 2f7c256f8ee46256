import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'

/** The props of every part of the customer's page. */
export type ManageSectionProps = {
  /** The token of the page's signed link. */
  readonly token: string
  readonly view: CustomerAppointment
  /** Reloads the appointment after a part has changed it. */
  readonly onChanged: () => Promise<unknown>
}

/** The props of a part in which the customer can move or cancel the appointment. */
export type ChangeSectionProps = ManageSectionProps & {
  /** Reloads the appointment and focuses the heading, which shows its new state. */
  readonly showOutcome: () => Promise<void>
}
