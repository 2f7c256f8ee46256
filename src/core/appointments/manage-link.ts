import { DAY_MS } from '#core/shared/duration.ts'

/** Number of days after the end of the appointment at which its link expires. Source: rule R3. */
export const MANAGE_LINK_DAYS = 90

/** Why an authentic link does not open the appointment. */
export type LinkRefusal = 'replaced' | 'ended' | 'erased' | 'given_back'

export type LinkedAppointment = {
  readonly endsAtMs: number
  /** Number of times the link has been replaced. */
  readonly rotation: number
  /** A hold that expired without payment or code. */
  readonly isReleased: boolean
  /** The customer's details were erased. */
  readonly isErased: boolean
}

/** Returns why a link does not open the appointment, or null when it does. Source: rules R2 to R4. */
export function findLinkRefusal(
  { rotation }: { readonly rotation: number },
  appointment: LinkedAppointment,
  nowMs: number,
): LinkRefusal | null {
  // Check this first: a replaced link was sent to another address. Its reader may be a stranger and learns only that
  // the link was replaced.
  if (rotation !== appointment.rotation) return 'replaced'
  if (appointment.isErased) return 'erased'
  if (appointment.isReleased) return 'given_back'
  return nowMs > toLinkExpiryMs(appointment.endsAtMs) ? 'ended' : null
}

/** Returns when the link of an appointment expires, in epoch milliseconds. */
export function toLinkExpiryMs(endsAtMs: number): number {
  return endsAtMs + MANAGE_LINK_DAYS * DAY_MS
}

/**
 * True when the appointment's id alone still opens the pages that need no signed link. The reader of a replaced link
 * knows the id, so the id stops working once the link was replaced. Source: rule R6.
 */
export function isIdLinkValid(appointment: LinkedAppointment, nowMs: number): boolean {
  return findLinkRefusal({ rotation: 0 }, appointment, nowMs) === null
}
