import { formatDate } from '#server/platform/format-date.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toSingleLine } from './entered-text.ts'
import type { MailBlock } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

/** Features that were set up under an earlier plan and are inactive under the current one. */
export type InactiveFeature = 'paypal' | 'custom_branding' | 'custom_domains'

/** The data of an email about a plan. They are stored as JSON in a job, and instants are in RFC 3339. */
export type PlanMailFacts =
  | {
      readonly occasion: 'welcome'
      readonly plan: string
      /** The amount in minor units of `currency`. */
      readonly amountCents: number
      readonly currency: string
      /** When the next charge is due; null when nothing will be charged. */
      readonly nextChargeAt: string | null
    }
  | {
      readonly occasion: 'payment_failed'
      readonly plan: string
      readonly amountCents: number
      readonly currency: string
      /** Number of days since the first failed attempt. */
      readonly day: number
      /** When the plan ends if the owner does not pay; null while the provider retries. */
      readonly endsAt: string | null
    }
  | {
      readonly occasion: 'plan_ended'
      /** The plan that has ended, and the plan that applies now. */
      readonly ended: string
      readonly plan: string
      readonly pausedCalendars: readonly string[]
      readonly inactive: readonly InactiveFeature[]
    }
  | {
      readonly occasion: 'card_expiring'
      readonly plan: string
      readonly brand: string
      readonly last4: string
      /** The month, from 1 to 12. */
      readonly expiryMonth: number
      readonly expiryYear: number
    }
  | {
      readonly occasion: 'paid_twice'
      /** The plan that the owner bought twice, and the plan that remains. */
      readonly plan: string
      readonly kept: string
    }

type Input = {
  readonly owner: { readonly name: string; readonly email: string }
  readonly deliveryId: string
  readonly facts: PlanMailFacts
  readonly baseUrl: string
}

type Words = { readonly heading: string; readonly preview: string; readonly blocks: readonly MailBlock[] }

/** Builds an email about an owner's plan. Source: rule S15. */
export function buildPlanMail(
  { owner, deliveryId, facts, baseUrl }: Input,
  origin: MailOrigin,
): OutgoingMail {
  const { heading, preview, blocks } = toWords(facts, baseUrl)
  return toMailFromInstallation(
    {
      // Replace other characters: only these are safe in a Message-ID everywhere.
      idParts: [deliveryId.replace(/[^\w.-]+/g, '-'), facts.occasion],
      to: { name: owner.name, address: owner.email },
      calendar: null,
      about: null,
      heading,
      preview,
      blocks,
      footer: `You are receiving this because you have an account at ${toSingleLine(origin.from.name)}.`,
    },
    origin,
  )
}

function toWords(facts: PlanMailFacts, baseUrl: string): Words {
  switch (facts.occasion) {
    case 'welcome':
      return toWelcome(facts, baseUrl)
    case 'payment_failed':
      return toPaymentFailed(facts, baseUrl)
    case 'plan_ended':
      return toPlanEnded(facts, baseUrl)
    case 'card_expiring':
      return toCardExpiring(facts, baseUrl)
    case 'paid_twice':
      return toPaidTwice(facts, baseUrl)
  }
}

type About<Occasion extends PlanMailFacts['occasion']> = Extract<PlanMailFacts, { occasion: Occasion }>

function toWelcome(facts: About<'welcome'>, baseUrl: string): Words {
  const { plan, nextChargeAt } = facts
  const charge =
    nextChargeAt === null
      ? []
      : [{ label: 'Next payment', lines: [`${formatMoney(facts)} on ${toDay(nextChargeAt)}`] }]
  return {
    heading: `Welcome to the ${plan} plan`,
    preview: `Your ${plan} plan is active.`,
    blocks: [
      {
        kind: 'paragraph',
        text: `thank you. Your ${plan} plan is active, and everything in it can be used now. You can change or end it at any time; what you have paid for stays until the end of its month.`,
      },
      { kind: 'facts', facts: [{ label: 'Plan', lines: [plan] }, ...charge] },
      toPlanButton('See your plan', baseUrl),
    ],
  }
}

function toPaymentFailed(facts: About<'payment_failed'>, baseUrl: string): Words {
  const { plan, day, endsAt } = facts
  const heading = day === 0 ? 'Your payment did not go through' : 'Your payment is still open'
  const when = day === 0 ? 'could not be charged' : `could not be charged ${day} days ago, and is still open`
  const next =
    endsAt === null
      ? 'We try again in the next days. Your plan stays as it is meanwhile, and your customers notice nothing.'
      : `It is not tried again. Your plan stays until ${toDay(endsAt)}. Pay before that, and it goes on.`
  return {
    heading,
    preview: `${formatMoney(facts)} for your ${plan} plan ${when}.`,
    blocks: [
      { kind: 'paragraph', text: `the payment for your ${plan} plan ${when}.` },
      { kind: 'facts', facts: [{ label: 'Amount', lines: [formatMoney(facts)] }] },
      { kind: 'paragraph', text: `${next} Please check your card, or pay with another one.` },
      toPlanButton('Check your card', baseUrl),
    ],
  }
}

const INACTIVE: Readonly<Record<InactiveFeature, string>> = {
  paypal: 'PayPal is not offered to customers',
  custom_branding: 'Your branding is not shown',
  custom_domains: 'Your own address leads to the usual one',
}

/** Maximum number of calendars that are listed by name; the rest is only counted. */
const LISTED = 20

function toPlanEnded(facts: About<'plan_ended'>, baseUrl: string): Words {
  const { ended, plan, pausedCalendars, inactive } = facts
  const names = pausedCalendars.slice(0, LISTED).map(toSingleLine)
  const rest = pausedCalendars.length - LISTED
  const paused =
    names.length === 0
      ? []
      : [{ label: 'Take no new bookings', lines: rest > 0 ? [...names, `And ${rest} more`] : names }]
  const others =
    inactive.length === 0 ? [] : [{ label: 'Inactive', lines: inactive.map((thing) => INACTIVE[thing]) }]
  const nothing = paused.length + others.length === 0
  return {
    heading: `Your ${ended} plan has ended`,
    preview: `You are on the ${plan} plan now.`,
    blocks: [
      { kind: 'paragraph', text: `your ${ended} plan has ended. You are on the ${plan} plan now.` },
      ...(nothing ? [] : [{ kind: 'facts' as const, facts: [...paused, ...others] }]),
      {
        kind: 'paragraph',
        text: nothing
          ? 'Everything that you use is included in it, so nothing changes.'
          : 'Nothing is lost. Appointments that are booked stay, with their reminders, cancellations and refunds, and you can see and export everything. With a larger plan it all is active again at once.',
      },
      ...(paused.length === 0
        ? []
        : [
            {
              kind: 'paragraph' as const,
              text: 'In your profile you can choose which calendars stay open.',
            },
          ]),
      toPlanButton('See your plan', baseUrl),
    ],
  }
}

function toCardExpiring(facts: About<'card_expiring'>, baseUrl: string): Words {
  const { plan, brand, last4, expiryMonth, expiryYear } = facts
  const card = `${toSingleLine(brand)} ending in ${toSingleLine(last4)}`
  const month = `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`
  return {
    heading: 'Your card expires soon',
    preview: `The card that pays for your ${plan} plan is valid until ${month}.`,
    blocks: [
      {
        kind: 'paragraph',
        text: `the card that pays for your ${plan} plan is valid until the end of ${month}. Please enter the new one, so that your plan goes on.`,
      },
      { kind: 'facts', facts: [{ label: 'Card', lines: [card] }] },
      toPlanButton('Change your card', baseUrl),
    ],
  }
}

function toPaidTwice(facts: About<'paid_twice'>, baseUrl: string): Words {
  const { plan, kept } = facts
  return {
    heading: 'You have paid twice, and one payment goes back',
    preview: `Your ${kept} plan stays as it is.`,
    blocks: [
      {
        kind: 'paragraph',
        text: `you have bought the ${plan} plan although you had the ${kept} plan already. We have ended the second purchase and return its payment; it takes the bank some days. Your ${kept} plan stays as it is.`,
      },
      { kind: 'paragraph', text: 'If you want another plan, you can change to it in your profile.' },
      toPlanButton('See your plan', baseUrl),
    ],
  }
}

function toPlanButton(label: string, baseUrl: string): MailBlock {
  return { kind: 'button', label, url: `${baseUrl}/profile?tab=subscription`, spelledOut: false }
}

/** Formats a date in UTC, because the provider counts days in UTC. */
function toDay(instant: string): string {
  return formatDate(new Date(instant).toISOString().slice(0, 10))
}
