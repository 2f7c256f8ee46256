import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toSingleLine } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

type Input = {
  readonly deliveryId: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendarName: string
  readonly location: { readonly name: string; readonly address: string | null }
  /** True when the location was deleted; false when only this calendar lost access to it. */
  readonly isDeleted: boolean
  /** URL of the page where the owner sees the calendar's appointments. */
  readonly appointmentsUrl: string
}

/**
 * Tells an owner that a location is no longer shared with their calendar, or was deleted by its owner. Source: rules L6
 * and L11.
 */
export function buildLocationEnded(input: Input, origin: MailOrigin): OutgoingMail {
  const calendar = toSingleLine(input.calendarName)
  const { name, address } = input.location
  const location = toSingleLine(address === null ? name : `${name}, ${address}`)
  return toMailFromInstallation(
    {
      idParts: [input.deliveryId, 'location-ended'],
      to: { name: input.owner.name, address: input.owner.email },
      calendar: null,
      about: toSingleLine(name),
      heading: 'You can no longer use a shared location',
      preview: `${calendar} can no longer use ${toSingleLine(name)}.`,
      blocks: [
        {
          kind: 'paragraph',
          text: input.isDeleted
            ? `The owner of ${location} has deleted it, so your calendar ${calendar} can no longer use it.`
            : `The owner of ${location} no longer shares it with your calendar ${calendar}.`,
        },
        {
          kind: 'paragraph',
          text: 'Your appointments there stay booked, but they no longer reserve the location, so somebody else may use it at the same time. Please arrange another location, or ask the owner of this one.',
        },
        { kind: 'button', label: 'View the appointments', url: input.appointmentsUrl, spelledOut: false },
      ],
      footer: `You are receiving this because your calendar ${calendar} used the location.`,
    },
    origin,
  )
}
