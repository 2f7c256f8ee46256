import type { ManagedAppointment, ManagedStanding } from '#contract/managed-appointments.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { decideLink, type LinkRefusal, linkEndsAt } from '#core/booking/manage-link.ts'
import {
  type AppointmentDetails,
  findDetailsOfAny,
} from '#server/features/appointments/details-repository.ts'
import { toPublicAppointment } from '#server/features/appointments/to-public-appointment.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { takeForClient } from '#server/platform/budgets/take-for-client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Client } from '#server/platform/http/client-of.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'

export type ManagedAppointmentsDeps = {
  readonly db: Db
  readonly now: Clock
  readonly budgets: Pick<Budgets, 'take' | 'find'>
  readonly manageLinks: ManageLinks
  /** The product's own address, without a trailing slash. */
  readonly baseUrl: string
}

/** A link that somebody opened, and from where. */
export type OpenedLink = { readonly token: string; readonly client: Client }

const LINK_REFUSALS = {
  replaced: 'manage.replaced',
  ended: 'manage.ended',
  erased: 'manage.erased',
  given_back: 'manage.given_back',
} as const satisfies Record<LinkRefusal, ProblemCode>

/**
 * The appointment that a signed link opens. Every operation below `/manage/{token}` begins with it. A link that is not ours
 * is counted for its client and asks nothing of the database. Source: rules R1 to R4.
 * @throws ProblemError `manage.*`
 */
export async function getLinkedAppointment(
  deps: Omit<ManagedAppointmentsDeps, 'baseUrl'>,
  { token, client }: OpenedLink,
): Promise<AppointmentDetails> {
  const link = deps.manageLinks.read(token)
  if (link === null) {
    const spent = await takeForClient(deps.budgets, { budget: 'manage_links', client })
    if (spent !== null) throw new ProblemError('manage.too_many', [], spent.waitSeconds)
    throw new ProblemError('manage.not_found')
  }
  const details = await findDetailsOfAny(deps.db, link.appointmentId)
  if (details === null) throw new ProblemError('manage.not_found')
  const refusal = decideLink(
    link,
    {
      endsAtMs: details.ends_at.getTime(),
      rotation: details.link_rotation,
      isReleased: details.released_at !== null,
      isErased: details.customer_erased_at !== null,
    },
    deps.now(),
  )
  if (refusal !== null) throw new ProblemError(LINK_REFUSALS[refusal])
  return details
}

/**
 * One appointment for its customer. Source: rule R5.
 * @throws ProblemError `manage.*`
 */
export async function getManagedAppointment(
  deps: ManagedAppointmentsDeps,
  opened: OpenedLink,
): Promise<ManagedAppointment> {
  return toManagedAppointment(deps, await getLinkedAppointment(deps, opened))
}

/** What the customer's page shows of an appointment. */
export function toManagedAppointment(
  { baseUrl, now }: Pick<ManagedAppointmentsDeps, 'baseUrl' | 'now'>,
  details: AppointmentDetails,
): ManagedAppointment {
  const appointment = toPublicAppointment(details, baseUrl)
  return {
    appointment,
    standing: standingOf(details, appointment.confirm_email_until !== null, now()),
    moved_from: details.moved_from?.toISOString() ?? null,
    customer: {
      name: details.customer_name,
      phone: details.customer_phone,
      email_hint: toEmailHint(details.customer_email),
    },
    link_ends_at: new Date(linkEndsAt(details.ends_at.getTime())).toISOString(),
  }
}

function standingOf(
  { status, starts_at }: AppointmentDetails,
  awaitsCode: boolean,
  nowMs: number,
): ManagedStanding {
  if (status === 'cancelled') return 'cancelled'
  if (status === 'pending_payment') return awaitsCode ? 'awaits_email_code' : 'awaits_payment'
  if (starts_at.getTime() <= nowMs) return 'past'
  return status === 'pending_cancellation' ? 'pending_cancellation' : 'upcoming'
}

/** `g•••@example.com`: enough to know which mailbox to look into, for somebody who knows the address. */
function toEmailHint(email: string | null): string | null {
  if (email === null) return null
  const at = email.lastIndexOf('@')
  return `${[...email].slice(0, 1).join('')}•••${email.slice(at)}`
}
