import {
  type AppointmentMessage,
  type DropReason,
  type MessageState,
  WAIT_REASON_SENTENCES,
} from '#contract/messages/messages.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

type StateWords = { readonly label: string; readonly tone: BadgeTone }

export const MESSAGE_STATE_LABELS: Record<MessageState, StateWords> = {
  planned: { label: 'Planned', tone: 'info' },
  queued: { label: 'On its way', tone: 'info' },
  waiting: { label: 'Waiting', tone: 'warning' },
  sent: { label: 'Sent', tone: 'success' },
  failed: { label: 'Trying again', tone: 'warning' },
  given_up: { label: 'Not delivered', tone: 'danger' },
  dropped: { label: 'Not sent', tone: 'neutral' },
}

const DROP_REASONS: Record<DropReason, string> = {
  outdated: 'The appointment changed before it could be sent.',
  unwanted: 'It was turned off.',
  no_address: 'The customer has no email address.',
  past: 'It was too late to send it.',
  too_early: 'It’s waiting for the new time.',
}

/** Returns the reason why a message has not been sent; null if there is nothing to explain. */
export function explainUnsentMessage({
  state,
  waits_for,
  drop_reason,
  last_error,
  attempts,
}: AppointmentMessage): string | null {
  if (state === 'waiting') return waits_for === null ? null : WAIT_REASON_SENTENCES[waits_for]
  if (state === 'dropped') return drop_reason === null ? null : DROP_REASONS[drop_reason]
  if (state !== 'failed' && state !== 'given_up') return null
  const tries = attempts === 1 ? 'one try' : `${attempts} tries`
  return `${last_error ?? 'The mail server didn’t accept the message'}, after ${tries}.`
}
