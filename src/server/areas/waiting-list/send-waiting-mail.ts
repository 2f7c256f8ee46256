import { customerPagesOriginOf } from '#core/addresses/public-url.ts'
import { toProfessionalName } from '#core/calendars/professional-name.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import { currentOfferState } from '#core/waiting-list/waiting-states.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import {
  buildWaitingConfirmation,
  buildWaitingOffer,
  type WaitingMailContent,
} from '#server/messages/emails/waiting-mail.ts'
import { findRecipientStatus } from '#server/messages/queue/recipient-repository.ts'
import { findSendingOwner } from '#server/messages/queue/sender-repository.ts'
import {
  type MailBudgetsDeps,
  type SendPermit,
  spendMailBudgets,
  UNCOUNTED_PERMIT,
} from '#server/messages/queue/spend-mail-budgets.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import { type Mailer, MailRefusedError, type OutgoingMail } from '#server/ports/mailer.ts'
import { addMailBranding } from '#server/records/branding/use-cases.ts'
import { toCalendarAddress } from '#server/records/hostnames/to-calendar-address.ts'
import { findWaitingListCalendar } from './calendar-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import { WAITING_MAIL_JOB, type WaitingMailJob } from './job-definitions.ts'
import { type WaitingLink, writeWaitingLink } from './read-waiting-link.ts'
import {
  findEntry,
  findOfferById,
  type Offer,
  type StoredWaitingEntry,
  updateMailedAt,
} from './repository.ts'

export type WaitingMailDeps = Pick<WaitingListDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'> &
  MailBudgetsDeps & {
    readonly mailer: Mailer
    readonly origin: MailOrigin
    readonly signer: Signer
    readonly jobs: Pick<JobQueue, 'send'>
  }

/**
 * Sends an email about the waiting list, unless it is outdated. It counts towards the limits of emails about
 * appointments, and is delayed while a limit is exceeded. Throws when the mail server did not accept it, so that the
 * job is retried. Source: rule Z11.
 */
export async function sendWaitingMail(deps: WaitingMailDeps, job: WaitingMailJob): Promise<void> {
  const { calendarId, entryId: id, offerId, rotation } = job
  const now = new Date(deps.now())
  const entry = await findEntry(deps.db, { calendar_id: calendarId, id })
  const offer = offerId === null ? null : await findOfferById(deps.db, offerId)
  if (entry === null || entry.link_rotation !== rotation || !isTrue(entry, offer, offerId, now)) return
  const recipientKey = deps.recipientKeys.keyOf(entry.customer_email)
  const standing = await findRecipientStatus(deps.db, recipientKey)
  const recordMailed = async () => {
    if (offer !== null) await updateMailedAt(deps.db, offer, new Date(deps.now()))
  }
  // The recipient has unsubscribed from emails about appointments. Source: rule E7.
  if (standing === 'stopped') return recordMailed()
  const mail = await buildMail(deps, entry, offer)
  const sender = await findSendingOwner(deps.db, calendarId, now)
  if (mail === null || sender === null) return
  const isByOwner = offer?.made_by === 'owner'
  // An automatic offer was counted when it was made, so its email is not counted again. Source: rule Z16.
  const isCounted = offer !== null && !isByOwner && entry.added_by === 'customer'
  const counted = {
    sender,
    calendarId,
    recipientKey,
    causedBy: isByOwner ? 'owner' : entry.added_by,
    isToOwner: recipientKey === deps.recipientKeys.keyOf(sender.email),
    isFirstWord: offer === null,
    isKnown: standing === 'answered' || offer !== null,
  } as const
  const room: SendPermit = isCounted ? UNCOUNTED_PERMIT : await spendMailBudgets(deps, counted)
  if (room.wait !== null) {
    const waitMs = room.wait.until.getTime() - deps.now()
    await deps.jobs.send(WAITING_MAIL_JOB, job, { afterSeconds: Math.ceil(waitMs / SECOND_MS) })
    return
  }
  try {
    await deps.mailer.send(mail)
  } catch (error) {
    await room.uncountAfter(error)
    // A retry would fail too, so the offer counts as mailed. Otherwise an address that refuses emails would be offered
    // times forever. Source: rule Z7.
    if (error instanceof MailRefusedError && error.isFinal) await recordMailed()
    throw error
  }
  await recordMailed()
}

/** True when the email is still up to date: its offer is open, or the address is not confirmed yet. */
function isTrue(entry: StoredWaitingEntry, offer: Offer | null, offerId: string | null, now: Date): boolean {
  if (offerId === null) return entry.state === 'unconfirmed' && entry.valid_until > now
  if (offer === null) return false
  return currentOfferState(offer, now.getTime()) === 'open'
}

async function buildMail(
  deps: WaitingMailDeps,
  entry: StoredWaitingEntry,
  offer: Offer | null,
): Promise<OutgoingMail | null> {
  const calendar = await findWaitingListCalendar(deps.db, entry.calendar_id)
  if (calendar === null) return null
  const site = customerPagesOriginOf(toCalendarAddress(calendar, deps), deps.baseUrl)
  const rotation = entry.link_rotation
  const pageOf = (link: Pick<WaitingLink, 'about' | 'id'>) =>
    `${site}/waiting/${writeWaitingLink(deps.signer, { ...link, rotation })}`
  const content = await addMailBranding<WaitingMailContent>(deps, entry.calendar_id, {
    id: `${offer?.id ?? entry.id}.${rotation}`,
    customer: { name: entry.customer_name, email: entry.customer_email },
    owner: { name: calendar.owner_name, email: calendar.owner_email },
    calendar: {
      name: calendar.name,
      color: calendar.color,
      professionalName: toProfessionalName(calendar.professional_first_name, calendar.professional_last_name),
    },
    typeName: entry.appointment_type_name,
    timeZone: calendar.timezone,
    hourCycle: calendar.hour_cycle,
    customerTimeZone: entry.customer_time_zone,
    requestUrl: pageOf({ about: 'entry', id: entry.id }),
  })
  if (offer === null) return buildWaitingConfirmation(content, deps.origin)
  return buildWaitingOffer(
    {
      ...content,
      startsAt: offer.starts_at.toISOString(),
      endsAt: offer.ends_at.toISOString(),
      expiresAt: offer.expires_at.toISOString(),
      isHeld: offer.held_appointment_id !== null,
      offerUrl: pageOf({ about: 'offer', id: offer.id }),
    },
    deps.origin,
  )
}
