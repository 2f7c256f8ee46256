import { DAY_MS } from '#core/shared/duration.ts'

/** How long after the end of its appointment a link works, in days. Source: rule R3. */
export const MANAGE_LINK_DAYS = 90

/** Why a genuine link opens nothing. */
export type LinkRefusal = 'replaced' | 'ended' | 'erased' | 'given_back'

export type LinkedAppointment = {
  readonly endsAtMs: number
  /** How often the link was replaced. */
  readonly rotation: number
  /** A hold that ended without payment or code. */
  readonly isReleased: boolean
  /** The details of its customer were erased. */
  readonly isErased: boolean
}

/** Whether a link of an appointment opens it now, and if not, why. Source: rules R2 to R4. */
export function decideLink(
  { rotation }: { readonly rotation: number },
  appointment: LinkedAppointment,
  nowMs: number,
): LinkRefusal | null {
  // First, because an earlier link went to another address. Its reader may be a stranger and learns only that it was replaced.
  if (rotation !== appointment.rotation) return 'replaced'
  if (appointment.isErased) return 'erased'
  if (appointment.isReleased) return 'given_back'
  return nowMs > toLinkExpiryMs(appointment.endsAtMs) ? 'ended' : null
}

/** When the link of an appointment ends, in milliseconds. */
export function toLinkExpiryMs(endsAtMs: number): number {
  return endsAtMs + MANAGE_LINK_DAYS * DAY_MS
}

/**
 * Whether the bare id of an appointment still opens what it opens without a link. Who read an earlier address knows the id, so it
 * opens nothing once the link was replaced. Source: rule R6.
 */
export function isIdLinkValid(appointment: LinkedAppointment, nowMs: number): boolean {
  return decideLink({ rotation: 0 }, appointment, nowMs) === null
}
