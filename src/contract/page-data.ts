import type { PlanTier } from '#core/plan/plan.ts'
import type { PublicAppointmentType } from './appointment-types.ts'
import type { PublicCalendar, PublicPaymentProviders } from './calendars.ts'

/**
 * The first data of `/book/{slug}`, inlined in its HTML so that the page needs no request before it can show
 * itself. `calendar` is null when there is no such calendar.
 */
export type BookingPageData = {
  calendar: PublicCalendar | null
  appointment_types: PublicAppointmentType[]
  payment_providers: PublicPaymentProviders
  /** Sandbox payments and mail: the page says so. */
  sandbox: boolean
}

/** Who runs the installation, as far as they say so (settings `OPERATOR_…`). */
export type Operator = {
  name: string | null
  /** Postal, line by line. */
  address: readonly string[]
  email: string | null
  phone: string | null
}

/** What the pages of the site and the owner's pages know from their HTML. */
export type SitePageData = {
  operator: Operator
  /** A trial on somebody's own machine, which no mail and no payment leaves. */
  sandbox: boolean
  /** Whether what is sent by email is read in the mailbox of this installation. */
  mailbox: boolean
  /** The plan of owners who bought none. */
  default_plan: PlanTier
  /** Whether a message can be sent to the operator from here. */
  contact_form: boolean
  /** Whether owners can connect Stripe here. */
  stripe: boolean
  /** How the demo practice is looked at, where a trial has one. */
  demo_login?: DemoLogin
}

export type DemoLogin = { readonly email: string; readonly password: string }

/** The id of the `<script type="application/json">` element that carries it. */
export const PAGE_DATA_ID = 'page-data'

/** What the server-side bundle of an entry exports as `render`: a page as HTML, by its path and nothing but its first data. */
export type RenderPage<Data> = (path: string, data: Data) => string
