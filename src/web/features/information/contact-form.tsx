import { useEffect, useRef } from 'react'
import { LIMITS } from '#contract/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useContactForm } from './use-contact-form.ts'

/** A message to the operator. */
export function ContactForm() {
  const form = useRef<HTMLFormElement>(null)
  const { draft, errors, failure, pending, sentFrom, change, submit, writeAnother } = useContactForm(form)
  if (sentFrom !== null) return <Sent address={sentFrom} onWriteAnother={writeAnother} />
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="Full Name"
        name="name"
        required
        autoComplete="name"
        maxLength={LIMITS.personName}
        value={draft.name}
        error={errors.name}
        onChange={(event) => change('name', event.target.value)}
      />
      <TextField
        label="Email Address"
        name="email"
        required
        type="email"
        autoComplete="email"
        maxLength={LIMITS.email}
        value={draft.email}
        error={errors.email}
        onChange={(event) => change('email', event.target.value)}
      />
      <TextField
        label="Subject (optional)"
        name="subject"
        autoComplete="off"
        className="sm:col-span-2"
        maxLength={LIMITS.contactSubject}
        value={draft.subject}
        error={errors.subject}
        onChange={(event) => change('subject', event.target.value)}
      />
      <TextArea
        label="Message"
        name="message"
        required
        autoComplete="off"
        className="sm:col-span-2 [&_textarea]:min-h-48"
        maxLength={LIMITS.contactMessage}
        value={draft.message}
        error={errors.message}
        onChange={(event) => change('message', event.target.value)}
      />
      {/* For programs that fill in everything. Out of sight, of the Tab key and of screen readers. */}
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
      <div className="sm:col-span-2">
        <Button type="submit" variant="primary" size="lg" pending={pending} pendingLabel="Sending...">
          Send message
        </Button>
      </div>
    </form>
  )
}

function Sent({ address, onWriteAnother }: { address: string; onWriteAnother: () => void }) {
  const notice = useRef<HTMLDivElement>(null)
  // The button that had the focus is gone.
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} tabIndex={-1} className="outline-none">
      <Notice
        tone="success"
        role="status"
        title="Your message is on its way."
        action={<Button onClick={onWriteAnother}>Write another message</Button>}
      >
        The answer comes to {address}.
      </Notice>
    </div>
  )
}
