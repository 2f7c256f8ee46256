import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import * as at from '#contract/operations/addresses.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { browserTimeZone, todayIn } from '#web/shared/format-date.ts'
import {
  findWaitingRequestError,
  newWaitingRequest,
  toWaitingRequestBody,
} from '#web/shared/waiting-request.ts'
import { WaitingRequestFields } from '#web/shared/waiting-request-fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { HoneypotField } from './honeypot-field.tsx'
import type { AvailableTimesRequest } from './times-queries.ts'

/** Opens the waiting-list form as a dialog over the booking page. */
export function openWaitingRequest(request: AvailableTimesRequest): void {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(
    <WaitingRequestDialog
      request={request}
      onClosed={() => {
        root.unmount()
        place.remove()
      }}
    />,
  )
}

/** Duration of the dialog's closing animation, in milliseconds. */
const CLOSING_MS = 200

type WaitingRequestDialogProps = { request: AvailableTimesRequest; onClosed: () => void }

/** Lets a customer request a place on the waiting list, then shows a confirmation. Source: rule Z1. */
export function WaitingRequestDialog({ request, onClosed }: WaitingRequestDialogProps) {
  const [isOpen, setOpen] = useState(true)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const close = () => {
    setOpen(false)
    setTimeout(onClosed, CLOSING_MS)
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={close}
      title={sentTo === null ? 'Join the waiting list' : 'Please confirm your email'}
      description={sentTo === null ? 'We’ll email you when a matching time opens up.' : undefined}
    >
      {sentTo === null ? (
        <RequestForm request={request} onSent={setSentTo} />
      ) : (
        <div className="grid gap-5">
          <p role="status" className="break-words">
            We’ve emailed <strong>{sentTo}</strong>. Open the link in it to join the list.
          </p>
          <Button variant="primary" onClick={close} className="sm:justify-self-start">
            Close
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function RequestForm({
  request,
  onSent,
}: {
  request: AvailableTimesRequest
  onSent: (email: string) => void
}) {
  const { slug, typeId, shownZone } = request
  const [openedAt] = useState(() => performance.now())
  const [today] = useState(() => todayIn(shownZone))
  const [wanted, setWanted] = useState(() => newWaitingRequest(today))
  const [person, setPerson] = useState({ name: '', email: '', phone: '' })
  const [errors, setErrors] = useState<PersonErrors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const hidden = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const showErrors = (found: PersonErrors) => {
    // Render the errors immediately, so that screen readers announce the error when the field receives focus.
    flushSync(() => setErrors(found))
    form.current?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus()
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    const gap = findWaitingRequestError(wanted, today)
    const found = findPersonErrors(person)
    setFailure(gap)
    showErrors(found)
    if (gap !== null || Object.keys(found).length > 0 || isPending) return
    setPending(true)
    try {
      const { email } = await callApi(at.joinWaitingList, {
        params: { slug },
        body: {
          appointment_type_id: typeId,
          ...toWaitingRequestBody(wanted),
          ...person,
          time_zone: browserTimeZone(),
          website: hidden.current?.value ?? '',
          form_open_ms: Math.round(performance.now() - openedAt),
        },
      })
      onSent(email)
    } catch (problem) {
      setPending(false)
      const wrong = findWrongEmail(problem)
      if (wrong !== null) showErrors({ email: wrong })
      else setFailure(sayWhy(problem))
    }
  }
  const fieldOf = (name: keyof typeof person) => ({
    value: person[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setPerson({ ...person, [name]: target.value })
      setErrors({ ...errors, [name]: undefined })
    },
  })
  return (
    <form ref={form} noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
      <WaitingRequestFields request={wanted} today={today} onChange={setWanted} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Full Name"
          required
          autoComplete="name"
          maxLength={BOOKING_LIMITS.personName}
          {...fieldOf('name')}
        />
        <TextField
          label="Email Address"
          required
          type="email"
          autoComplete="email"
          maxLength={BOOKING_LIMITS.email}
          {...fieldOf('email')}
        />
        <TextField
          label="Phone (optional)"
          type="tel"
          autoComplete="tel"
          className="sm:col-span-2"
          maxLength={BOOKING_LIMITS.phone}
          {...fieldOf('phone')}
        />
      </div>
      <HoneypotField ref={hidden} />
      {failure !== null && (
        <Notice tone="danger" role="alert">
          {failure}
        </Notice>
      )}
      <p className="text-sm text-ink-soft">Every email has a link to leave the list.</p>
      <Button type="submit" variant="primary" pending={isPending} pendingLabel="Sending...">
        Join the list
      </Button>
    </form>
  )
}

type PersonErrors = { readonly [Field in 'name' | 'email' | 'phone']?: string | undefined }

/** Finds missing or invalid contact details. Returns the errors by field. */
function findPersonErrors({ name, email }: { name: string; email: string }): PersonErrors {
  return {
    ...(name.trim() === '' && { name: 'Please enter your name.' }),
    ...(!/^\S+@\S+$/.test(email.trim()) && { email: 'Please enter your email address.' }),
  }
}

/** Returns the server's error about the email address; null if the error is not about it. */
function findWrongEmail(problem: unknown): string | null {
  if (!(problem instanceof ApiProblem)) return null
  return problem.errors.find(({ path }) => path === 'email')?.message ?? null
}

function sayWhy(problem: unknown): string {
  return problem instanceof ApiProblem ? problem.message : 'Something went wrong. Please try again.'
}
