import type { SitePageData } from '#contract/pages/page-data.ts'
import type { Section } from './information-layout.tsx'

/** Who receives data, and only where that is set up here. */
export function toReceiversSection({ sandbox, stripe, plans_for_sale }: SitePageData): Section {
  return {
    id: 'receivers',
    title: 'Who else receives it',
    content: (
      <>
        <ul>
          <li>
            <strong>The practice you book with</strong>, because the appointment is with it.
          </li>
          <li>
            <strong>The mail server</strong> of the operator, and yours, carry the messages.
          </li>
          {stripe && (
            <li>
              <strong>Stripe</strong>, when you pay by card and the practice has connected it: the appointment
              type, the amount, your email address and the number of your appointment. Your card is between
              you and Stripe.
            </li>
          )}
          {plans_for_sale.length > 0 && (
            <li>
              <strong>Stripe</strong>, when you have an account here and buy a plan: your name, your email
              address and the plan. Your card is between you and Stripe.
            </li>
          )}
          <li>
            <strong>PayPal</strong>, when you pay that way and the practice has connected it: the appointment
            type, the amount, your email address and the number of your appointment. You log in there, not
            here.
          </li>
          <li>
            <strong>The provider of the practice’s own calendar</strong> (Google, Microsoft, or a server of
            its choice), when the practice has its appointments written there: the time and the title of your
            appointment, and unless the practice hides them, your name, phone number, email address and notes.
          </li>
        </ul>
        <p>
          {sandbox
            ? 'This is a trial installation: payments and calendars go to stand-ins on the same machine, and no real money moves.'
            : 'These providers act by their own privacy statements. Nobody else receives anything.'}
        </p>
      </>
    ),
  }
}
