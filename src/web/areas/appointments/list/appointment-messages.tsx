import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { AppointmentMessage } from '#contract/messages/messages.ts'
import { MESSAGE_KIND_LABELS } from '#contract/messages/messages.ts'
import { formatShortDate, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { AppointmentHistory } from './appointment-history.tsx'
import { appointmentMessagesQuery } from './appointment-queries.ts'
import { DisclosureButton } from './disclosure-button.tsx'
import { explainUnsentMessage, MESSAGE_STATE_LABELS } from './message-words.ts'
import { useResendMessage } from './use-send-again.ts'

/** Lets the owner open the list of messages about an appointment, and the appointment's history. */
export function AppointmentMessages({ appointment }: { appointment: AppointmentRow }) {
  const [open, setOpen] = useState(false)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const listId = useId()
  const historyId = useId()
  return (
    <div className="flex flex-col items-start gap-2">
      {appointment.undelivered_messages > 0 && (
        <Notice tone="danger" title="Not delivered">
          {appointment.undelivered_messages === 1
            ? 'We couldn’t deliver a message about this appointment.'
            : `We couldn’t deliver ${appointment.undelivered_messages} messages about this appointment.`}
        </Notice>
      )}
      {appointment.waiting_messages > 0 && (
        <Notice tone="warning" title="Waiting">
          {appointment.waiting_messages === 1
            ? 'A message about this appointment is on hold.'
            : `${appointment.waiting_messages} messages about this appointment are on hold.`}{' '}
          The appointment isn’t affected. Open Messages to see why.
        </Notice>
      )}
      <div className="-ms-3 flex flex-wrap">
        <DisclosureButton controls={listId} open={open} onChange={setOpen}>
          Messages
        </DisclosureButton>
        <DisclosureButton controls={historyId} open={isHistoryOpen} onChange={setHistoryOpen}>
          History
        </DisclosureButton>
      </div>
      <div id={listId} className="w-full empty:hidden">
        {open && <MessageList appointment={appointment} />}
      </div>
      <div id={historyId} className="w-full empty:hidden">
        {isHistoryOpen && <AppointmentHistory appointment={appointment} />}
      </div>
    </div>
  )
}

function MessageList({ appointment }: { appointment: AppointmentRow }) {
  const { data, error, refetch } = useQuery(appointmentMessagesQuery(appointment))
  if (data === undefined && error !== null) {
    return <ErrorState title="Failed to load messages" hint={error.message} onRetry={() => refetch()} />
  }
  if (data === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-ink-soft">
        <Spinner /> Loading messages...
      </p>
    )
  }
  if (data.messages.length === 0) return <p className="text-ink-soft">No messages.</p>
  return (
    <ul aria-label="Messages" className="divide-y divide-line border-t border-line">
      {data.messages.map((message) => (
        <li key={message.id ?? 'planned'}>
          <MessageItem message={message} appointment={appointment} />
        </li>
      ))}
    </ul>
  )
}

function MessageItem({ message, appointment }: { message: AppointmentMessage; appointment: AppointmentRow }) {
  const { sendAgain, isPending } = useResendMessage(appointment, message.id)
  const { label, tone } = MESSAGE_STATE_LABELS[message.state]
  const explanation = explainUnsentMessage(message)
  const name = MESSAGE_KIND_LABELS[message.kind]
  // True while the message is being sent. The button stays until then, so that keyboard users do not lose focus.
  const isUnderWay = isPending || (message.state === 'queued' && message.repeat > 0)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <div className="flex min-w-0 flex-1 basis-56 flex-col">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{name}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-sm text-ink-soft">
          {message.recipient === 'owner' ? 'To you' : 'To the customer'}
          {' · '}
          {whenOf(message, appointment)}
        </p>
        {explanation !== null && <p className="text-sm wrap-anywhere">{explanation}</p>}
      </div>
      {(message.can_send_again || isUnderWay) && message.id !== null && (
        <Button
          size="sm"
          aria-label={`Send again: ${name}`}
          pending={isUnderWay}
          pendingLabel="Sending..."
          onClick={() => sendAgain(message)}
        >
          Send again
        </Button>
      )}
    </div>
  )
}

/** Returns the time a message was or will be sent, in the calendar's time zone: `Dec 1, 2026, 9:30 AM`. */
function whenOf(
  { at, state, waits_for, repeat }: AppointmentMessage,
  { time_zone, hour_cycle }: AppointmentRow,
): string {
  const when = `${formatShortDate(localDateOf(at, time_zone))}, ${formatTime(at, time_zone, hour_cycle)}`
  if (state === 'planned') return `will be sent ${when}`
  if (state === 'waiting') {
    if (waits_for === 'email_stopped') return 'will be sent if they allow emails again'
    const orSooner = waits_for === 'email_unanswered' ? ', or when an earlier email is answered' : ''
    return `will be tried again ${when}${orSooner}`
  }
  return repeat > 0 && state === 'sent' ? `${when}, sent again by you` : when
}
