import { MISSED_DATE_SENTENCES } from '#contract/appointments/series-problems.ts'
import type { PageProblem } from '#contract/availability/page-problems.ts'
import { PAGE_PROBLEM_TEXTS } from '#core/calendars/page-problem-texts.ts'
import { formatDate } from '#server/platform/format-date.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toIsolatedName } from './entered-text.ts'
import { countUnlisted } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

type Input = {
  readonly deliveryId: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendarName: string
  /** The new problems of one calendar; at least one. */
  readonly problems: readonly Pick<PageProblem, 'kind' | 'appointment_type_name' | 'missed_date'>[]
  readonly settingsUrl: string
}

/** Maximum number of problems that are listed; the dashboard has all of them. */
const MAX_LISTED = 10

/** Tells an owner what keeps customers from booking, with the link that solves each problem. Source: rule C20. */
export function buildPageProblemMail(
  { deliveryId, owner, calendarName, problems, settingsUrl }: Input,
  origin: MailOrigin,
): OutgoingMail {
  const calendar = toIsolatedName(calendarName)
  return toMailFromInstallation(
    {
      idParts: [deliveryId, 'page-problem'],
      to: { name: owner.name, address: owner.email },
      calendar: null,
      about: calendar,
      heading: problems.every(({ missed_date }) => missed_date !== null)
        ? 'A standing appointment could not be booked'
        : 'Customers may not be able to book',
      preview: `Please check the settings of ${calendar}.`,
      blocks: [
        ...problems
          .slice(0, MAX_LISTED)
          .flatMap(({ kind, appointment_type_name: type, missed_date: missed }) => {
            const { sentence, tab, action } = PAGE_PROBLEM_TEXTS[kind]
            return [
              {
                kind: 'paragraph' as const,
                text: sentence({ calendar, type: toIsolatedName(type ?? ''), ...toNamesOfDate(missed) }),
              },
              { kind: 'button' as const, label: action, url: `${settingsUrl}?tab=${tab}`, spelledOut: false },
            ]
          }),
        ...countUnlisted(problems.length, MAX_LISTED),
      ],
      footer: `You are receiving this because customers can book in your calendar ${calendar}. We check its page every day, and write once about each problem.`,
    },
    origin,
  )
}

function toNamesOfDate(missed: PageProblem['missed_date']) {
  if (missed === null) return {}
  return {
    customer: toIsolatedName(missed.customer_name),
    date: formatDate(missed.date),
    reason: MISSED_DATE_SENTENCES[missed.reason],
  }
}
