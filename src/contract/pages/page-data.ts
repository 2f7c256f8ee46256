import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicBranding } from '#contract/calendars/branding.ts'
import type { PublicCalendar, PublicPaymentProviders } from '#contract/calendars/calendars.ts'
import type { DialableNumber } from '#contract/shared/phone-number.ts'
import type { PlanTier } from '#core/plans/plan.ts'

/**
 * The initial data of `/book/{slug}`. The HTML contains it, so that the page renders without a request. `calendar` is
 * null when the calendar does not exist.
 */
export type BookingPageData = {
  calendar: PublicCalendar | null
  appointment_types: PublicAppointmentType[]
  payment_providers: PublicPaymentProviders
  /** Null when the calendar does not exist. */
  branding: PublicBranding | null
  /** True when payments and emails are simulated; the page says so. */
  sandbox: boolean
}

/** Query parameter of a booking page that turns custom CSS off. Source: rule K8. */
export const PLAIN_PARAM = 'plain'

/** Query parameter of a booking page that its owner sees beside the branding form, with unsaved branding. Source: rule K9. */
export const PREVIEW_PARAM = 'preview'

/** The branding form posts `PreviewMessage` to the preview, once the preview has posted `PREVIEW_READY`. Source: rule K9. */
export type PreviewMessage = { readonly branding: PublicBranding; readonly css: string }
export const PREVIEW_READY = 'meridian:preview-ready'

/** The operator of the installation, from the settings `OPERATOR_…`. */
export type Operator = {
  name: string | null
  /** The postal address, line by line. */
  address: readonly string[]
  email: string | null
  phone: string | null
  /** The numbers in `phone` that are in international form. */
  phone_numbers: readonly DialableNumber[]
}

/** The initial data in the HTML of the site and of the owner's pages. */
export type SitePageData = {
  operator: Operator
  /** True when payments and emails are simulated, as in a trial on one machine. */
  sandbox: boolean
  /** True when this installation has a sandbox mailbox that shows its emails. */
  mailbox: boolean
  /** The plan of owners who have not bought one. */
  default_plan: PlanTier
  /** The plans for sale, with their monthly prices (rule S9). */
  plans_for_sale: readonly PlanPrice[]
  /** Whether this installation can send a message to its operator. */
  contact_form: boolean
  /** Whether owners can connect Stripe here. */
  stripe: boolean
  /** The login of the demo practice, if the trial has one. */
  demo_login?: DemoLogin
}

export type PlanPrice = {
  readonly tier: 'professional' | 'business'
  /** Per month, in minor units. */
  readonly amount_cents: number
  /** ISO 4217, lower case. */
  readonly currency: string
}

export type DemoLogin = { readonly email: string; readonly password: string }

/** Query parameter of a booking page inside a frame of another website (rule W19). */
export const EMBED_PARAM = 'embed'

/** The id of the `<script type="application/json">` element with the initial data. */
export const PAGE_DATA_ID = 'page-data'

/**
 * The server-side bundle of an entry exports this function as `render`. It renders a page to HTML from its path and its
 * initial data.
 */
export type RenderPage<Data> = (path: string, data: Data) => string
