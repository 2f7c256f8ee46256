import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CONTACT_PROBLEMS } from '#contract/messages/contact-problems.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft, storeDraft } from '#web/shared/draft.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'

/** Lets a visitor send a message to the operator. */
export function ContactForm() {
  const form = useRef<HTMLFormElement>(null)
  const hydrated = useHydrated()
  const { draft, errors, failure, pending, sentFrom, change, submit, writeAnother } = useContactForm(form)
  const bind = (field: ContactField) => ({
    name: field,
    value: draft[field],
    error: errors[field],
    onChange: (event: { target: { value: string } }) => change(field, event.target.value),
  })
  if (sentFrom !== null) return <Sent address={sentFrom} onWriteAnother={writeAnother} />
  return (
    <form
      ref={form}
      noValidate
      // Disable the form until hydration, because text typed before that would be lost.
      inert={!hydrated}
      className="grid gap-4 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="Full Name"
        required
        autoComplete="name"
        maxLength={LIMITS.personName}
        {...bind('name')}
      />
      <TextField
        label="Email Address"
        required
        type="email"
        autoComplete="email"
        maxLength={LIMITS.email}
        {...bind('email')}
      />
      <TextField
        label="Subject (optional)"
        autoComplete="off"
        className="sm:col-span-2"
        maxLength={LIMITS.contactSubject}
        {...bind('subject')}
      />
      <TextArea
        label="Message"
        required
        autoComplete="off"
        className="sm:col-span-2 [&_textarea]:min-h-48"
        maxLength={LIMITS.contactMessage}
        {...bind('message')}
      />
      {/* A honeypot field for spam bots. People cannot see it or reach it with the keyboard or a screen reader. */}
      <div aria-hidden="true" className="sr-only">
        <label>
          Leave this empty
          <input
            name="website"
            tabIndex={-1}
            autoComplete="off"
            value={draft.website}
            onChange={(event) => change('website', event.target.value)}
          />
        </label>
      </div>
      {failure !== null && (
        <Notice tone="danger" role="alert" title={failure} className="sm:col-span-2">
          Everything you wrote is still here.
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="sm:col-span-2 sm:justify-self-start"
        pending={pending}
        pendingLabel="Sending..."
      >
        Send message
      </Button>
    </form>
  )
}

function Sent({ address, onWriteAnother }: { address: string; onWriteAnother: () => void }) {
  const notice = useRef<HTMLDivElement>(null)
  // Focus the notice, because the pressed button no longer exists.
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} tabIndex={-1} className="outline-none">
      <Notice
        tone="success"
        role="status"
        title="Your message is on its way."
        action={<Button onClick={onWriteAnother}>Write another message</Button>}
      >
        We’ll reply to {address}.
      </Notice>
    </div>
  )
}

const FIELDS = ['name', 'email', 'subject', 'message'] as const
type ContactField = (typeof FIELDS)[number]
type Draft = Readonly<Record<ContactField | 'website', string>>
type Errors = Partial<Record<ContactField, string>>

/** The storage key of the saved draft. */
const DRAFT = 'contact'
const EMPTY: Draft = { name: '', email: '', subject: '', message: '', website: '' }

/** The state of the contact form. The entered text is kept when the server rejects the message. */
function useContactForm(form: RefObject<HTMLFormElement | null>) {
  const [draft, setDraft] = useState(() => findDraft<Draft>(DRAFT) ?? EMPTY)
  useEffect(() => storeDraft(DRAFT, draft), [draft])
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  /** The sender's email address after the message has been sent; null before. */
  const [sentFrom, setSentFrom] = useState<string | null>(null)
  const sending = useRef(false)

  const change = (field: keyof Draft, text: string) => {
    setDraft((now) => ({ ...now, [field]: text }))
    setErrors((now) => ({ ...now, [field]: undefined }))
  }

  const showErrors = (found: Errors) => {
    // Mark the fields before focusing one, so that screen readers announce the error.
    flushSync(() => setErrors(found))
    const first = FIELDS.find((field) => found[field] !== undefined)
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  const submit = async () => {
    if (sending.current) return
    setFailure(null)
    const missing = findMissing(draft)
    if (Object.keys(missing).length > 0) return showErrors(missing)
    sending.current = true
    setPending(true)
    try {
      await callApi(at.sendContactMessage, { body: draft })
      setSentFrom(draft.email.trim())
      // Keep the name and email address in case the visitor writes another message.
      setDraft({ ...draft, subject: '', message: '' })
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      setFailure(error.message)
      if (error.errors.length > 0)
        showErrors(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])))
    } finally {
      sending.current = false
      setPending(false)
    }
  }

  return { draft, errors, failure, pending, sentFrom, change, submit, writeAnother: () => setSentFrom(null) }
}

/** Returns the errors for missing fields. The server checks whether the email address is valid. */
function findMissing({ name, email, message }: Draft): Errors {
  return {
    ...(name.trim() === '' && { name: CONTACT_PROBLEMS['contact.name_required'].title }),
    ...(email.trim() === '' && { email: CONTACT_PROBLEMS['contact.email_required'].title }),
    ...(message.trim() === '' && { message: CONTACT_PROBLEMS['contact.message_required'].title }),
  }
}
