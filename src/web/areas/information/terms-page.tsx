import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { HOLD_MS, MAX_HOLD_MS } from '#core/appointments/hold.ts'
import { paths } from '#web/shared/paths.ts'
import { InformationLayout, type InformationSection } from './information-layout.tsx'

/** The page `/terms`: the terms of use, for the owner and for the operator. */
export function TermsPage({ site }: { site: SitePageData }) {
  return (
    <InformationLayout
      title="Terms"
      intro="What you can expect of this service and what it expects of you: first for customers, who book, then for owners, who publish calendars. The law that protects you where you live stands above all of it."
      sections={[...(site.sandbox ? [TRIAL] : []), CUSTOMERS, OWNERS, toServiceSection(site)]}
    />
  )
}

const TRIAL: InformationSection = {
  id: 'trial',
  title: 'This is a trial',
  content: (
    <p>
      This installation is for trying Meridian out. No real money moves, mails stay in a mailbox on the same
      machine, and what you enter may be deleted at any time. Please enter nothing that matters.
    </p>
  ),
}

const CUSTOMERS: InformationSection = {
  id: 'customers',
  title: 'For customers',
  content: (
    <>
      <p>
        An appointment is an agreement between you and the practice. This service shows you its free times and
        tells it that you booked; it is not a party to the agreement.
      </p>
      <ul>
        <li>
          Please give your real name and an address you read. A time that is booked is kept from others.
        </li>
        <li>
          To cancel, open the link in your confirmation and ask for it. The practice answers; whether it
          charges for a late cancellation is between you and the practice.
        </li>
        <li>
          While you pay, your time is held for {minutes(HOLD_MS)}, and for up to {minutes(MAX_HOLD_MS)} when
          the payment is under way. Money that comes after that goes back if the time is gone.
        </li>
        <li>
          You pay the practice, into its own account at the payment provider. Refunds come from it as well.
        </li>
      </ul>
    </>
  ),
}

const OWNERS: InformationSection = {
  id: 'owners',
  title: 'For owners',
  content: (
    <>
      <p>
        An account is for you or your practice. What it includes is on the{' '}
        <a href={paths.pricing()}>Pricing</a> page.
      </p>
      <ul>
        <li>
          What you publish is yours, and so is the responsibility for it: names, prices, texts, and what your
          profession asks of you.
        </li>
        <li>
          You decide what happens with your customers’ data, and tell them. Write to them about their
          appointments, and about nothing they did not ask for.
        </li>
        <li>
          Keep your password to yourself, and use two-factor authentication if other people’s secrets depend
          on it.
        </li>
        <li>
          Publish nothing that is against the law, and do not use the service to deceive or to trouble others.
          The operator may close an account that does.
        </li>
        <li>
          You may leave at any time: the profile, under Account, exports everything and deletes the account.
          Customers of future appointments are told. We keep payment records for accounting.
        </li>
      </ul>
    </>
  ),
}

function toServiceSection({ operator }: SitePageData): InformationSection {
  return {
    id: 'service',
    title: 'The service itself',
    content: (
      <>
        <p>
          {operator.name ?? 'The operator'} runs this installation with care, and does not promise that it is
          never interrupted. The software comes without warranty, as its license (AGPL, version 3) says. Keep
          what you cannot do without in a second place; owners can export it whenever they like.
        </p>
        <p>
          When these terms change, they change on this page. For questions there is{' '}
          <a href={INFORMATION_PAGES.contact.path}>{INFORMATION_PAGES.contact.label}</a>.
        </p>
      </>
    ),
  }
}

function minutes(ms: number): string {
  return `${ms / 60_000} minutes`
}
