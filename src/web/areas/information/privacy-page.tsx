import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { RETENTION_HOURS } from '#contract/shared/retention.ts'
import { MANAGE_LINK_DAYS } from '#core/appointments/manage-link.ts'
import { OperatorBlock } from '#web/shared/operator-block.tsx'
import { InformationLayout, type InformationSection } from './information-layout.tsx'
import { formatHours, RetentionList } from './retention-list.tsx'

/**
 * The page `/privacy`: lists which personal data is stored, for how long, and who else receives the data. Source: rules
 * D9, D12, R10 and R11.
 */
export function PrivacyPage({ site }: { site: SitePageData }) {
  return (
    <InformationLayout
      title="Privacy"
      intro="Meridian stores only what appointments and accounts need. Nobody here sells your data, analyses it or shows it to advertisers."
      sections={[
        toResponsibleSection(site),
        CUSTOMERS,
        toOwnersSection(site),
        VISITORS,
        HOW_LONG,
        toReceiversSection(site),
        RIGHTS,
        PROTECTION,
      ]}
    />
  )
}

function toResponsibleSection(site: SitePageData): InformationSection {
  return {
    id: 'responsible',
    title: 'Who is responsible',
    content: (
      <>
        <p>
          The practice you book with decides what it asks you and what it does with the answers; it is
          responsible for its appointments and customers. The operator of this site keeps them on its behalf,
          and is responsible for owners’ accounts and this website:
        </p>
        <OperatorBlock site={site} className="mt-4" />
      </>
    ),
  }
}

const CUSTOMERS: InformationSection = {
  id: 'customers',
  title: 'When you book',
  content: (
    <>
      <p>You don’t need an account to book. The calendar you book on stores:</p>
      <ul>
        <li>your name and email address, and the phone number, title and notes if you give any;</li>
        <li>the appointment: its time, type, location, price and state, and your time zone;</li>
        <li>a number that identifies you to the practice;</li>
        <li>which messages we sent you about it, and whether the mail server accepted them;</li>
        <li>
          that you used a link in one of them, or unsubscribed, so that strangers can’t flood your address
          with emails;
        </li>
        <li>for a payment, its amount and state. We never see card numbers.</li>
      </ul>
      <p>
        Every email about an appointment has a link to its page, which opens without a password until{' '}
        {MANAGE_LINK_DAYS} days after it. Treat it like a ticket, and share it only with people who may see
        it. It’s replaced when your email address changes. To see more than this appointment, you need a code
        that we send to your address.
      </p>
    </>
  ),
}

function toOwnersSection({ stripe, plans_for_sale }: SitePageData): InformationSection {
  return {
    id: 'owners',
    title: 'When you have an account',
    content: (
      <>
        <p>For each owner, we store:</p>
        <ul>
          <li>name, email address and the rest of the profile: phone, time zone, bio;</li>
          <li>
            the password as a hash, which can’t be reversed; with two-factor authentication, the secret of
            your authenticator app and the backup codes, encrypted;
          </li>
          <li>
            the devices that are logged in: browser, network address and last use. The profile lists them
            under Security, where you can sign out each one;
          </li>
          <li>calendars, opening hours, locations, appointment types and settings;</li>
          <li>
            for each external calendar account you connect: its name, encrypted access to it, its list of
            calendars, and the times and titles of events in the calendars you choose;
          </li>
          {stripe && <li>the number of a Stripe account that you connect;</li>}
          {plans_for_sale.length > 0 && (
            <li>
              for a plan that you buy: its price, how long it’s paid for, and your customer and subscription
              numbers at Stripe;
            </li>
          )}
          <li>
            the merchant number and email address of a PayPal account that you connect, and the client id and
            secret of your app there, the secret encrypted.
          </li>
        </ul>
        <p>
          Disconnecting removes the account, except for its number in payment records. The client id and
          secret of a PayPal app stay until the calendar is deleted, so that its payments can still be looked
          up.
        </p>
      </>
    ),
  }
}

const VISITORS: InformationSection = {
  id: 'visitors',
  title: 'When you only browse',
  content: (
    <p>
      We count requests by network address for a short while, so that nobody can guess passwords or book
      everything automatically. The log has the time of a request, the kind of page and how long it took, but
      no names or addresses. To see what is kept in your browser, read{' '}
      <a href={INFORMATION_PAGES.cookies.path}>{INFORMATION_PAGES.cookies.label}</a>. What you write on the
      contact page goes to the operator by email, and is stored here until it is sent or given up, and{' '}
      {formatHours(RETENTION_HOURS.contactMessage)} after that.
    </p>
  ),
}

const HOW_LONG: InformationSection = {
  id: 'how-long',
  title: 'How long we keep it',
  content: <RetentionList />,
}

const RIGHTS: InformationSection = {
  id: 'rights',
  title: 'Your rights',
  content: (
    <>
      <p>
        You have the right to know what is stored about you, to have it corrected, deleted or handed over, and
        to object to its use. In the European Union, this is laid down in the General Data Protection
        Regulation (articles 15 to 21).
      </p>
      <ul>
        <li>
          <strong>Owners</strong> can do this themselves: in the profile, under Account, they can export
          everything as files and delete the account with everything in it, except the payments needed for
          accounting.
        </li>
        <li>
          <strong>Customers</strong> can do this themselves on an appointment’s page, with a code from an
          email. They can see all their appointments with its calendar, download what it stores about them,
          and erase their name, address, phone number and notes. If a practice has several calendars, each has
          its own page. Times and amounts stay for accounting, without the name. Until an appointment starts,
          they can correct their phone number, time zone and notes there.
        </li>
        <li>
          <strong>The practice</strong> can be reached by replying to any email about an appointment. It can
          give you a file of what it stores about you, including its own notes, which your pages don’t show.
          It can cancel appointments, merge two records of you, and erase your personal details.
        </li>
        <li>
          <strong>The operator</strong> can correct and delete it in the database, for the practice or for
          you: <a href={INFORMATION_PAGES.contact.path}>write to the operator</a> if the practice can’t do it
          or doesn’t answer.
        </li>
      </ul>
      <p>You may also complain to the data protection authority of the place where you live.</p>
    </>
  ),
}

const PROTECTION: InformationSection = {
  id: 'protection',
  title: 'How it is protected',
  content: (
    <p>
      Every record belongs to one owner, and we check this on every request. Secrets of payment providers and
      authenticator apps are stored encrypted. Owners can turn on two-factor authentication, and we email them
      when it, their password or their address changes. Backups and the machine itself are in the operator’s
      hands.
    </p>
  ),
}

/** The section about recipients of data. Lists only services that are set up on this installation. */
function toReceiversSection({ sandbox, stripe, plans_for_sale }: SitePageData): InformationSection {
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
            ? 'This is a trial site: payments and calendars use stand-ins on the same server, and no real money moves.'
            : 'These providers follow their own privacy policies. Nobody else receives anything.'}
        </p>
      </>
    ),
  }
}
