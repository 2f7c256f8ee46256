import { useEffect, useRef } from 'react'
import { LIMITS } from '#contract/shared/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import { type ContactField, useContactForm } from './use-contact-form.ts'

/** A message to the operator. */
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
      // Text that is typed or sent before the script runs would be lost.
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
      {/* For programs that fill in everything. Hidden from sight, from the Tab key and from screen readers. */}
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
