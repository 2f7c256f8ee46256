import type { ManagedAppointment } from '#contract/appointments/customer-page.ts'

/** What each part of the customer's page gets. */
export type ManagePartProps = {
  /** The signed link of the appointment. */
  readonly token: string
  readonly view: ManagedAppointment
  /** Loads the appointment anew, after a part has changed it. */
  readonly onChanged: () => Promise<unknown>
}

/** What a part gets that can move or cancel the appointment. */
export type ChangePartProps = ManagePartProps & {
  /** Loads the appointment anew and leads to how it stands now. */
  readonly showOutcome: () => Promise<void>
}
