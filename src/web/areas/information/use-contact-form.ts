import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CONTACT_PROBLEMS } from '#contract/messages/contact-problems.ts'
import * as at from '#contract/operations/addresses.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft, keepDraft } from '#web/shared/draft.ts'

const FIELDS = ['name', 'email', 'subject', 'message'] as const
export type ContactField = (typeof FIELDS)[number]
type Draft = Readonly<Record<ContactField | 'website', string>>
type Errors = Partial<Record<ContactField, string>>

/** The name of the draft while somebody looks at another page. */
const DRAFT = 'contact'
const EMPTY: Draft = { name: '', email: '', subject: '', message: '', website: '' }

/** The state of the contact form, and sending it. Typed text survives every refusal. */
export function useContactForm(form: RefObject<HTMLFormElement | null>) {
  const [draft, setDraft] = useState(() => findDraft<Draft>(DRAFT) ?? EMPTY)
  useEffect(() => keepDraft(DRAFT, draft), [draft])
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  /** Where the answer goes, once the message is on its way. */
  const [sentFrom, setSentFrom] = useState<string | null>(null)
  const sending = useRef(false)

  const change = (field: keyof Draft, text: string) => {
    setDraft((now) => ({ ...now, [field]: text }))
    setErrors((now) => ({ ...now, [field]: undefined }))
  }

  const showErrors = (found: Errors) => {
    // The mark must be there before the focus is, or a screen reader does not read it.
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
      // Somebody who writes again is the same person.
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

/** What is missing, by field. The server checks whether an address is valid. */
function findMissing({ name, email, message }: Draft): Errors {
  return {
    ...(name.trim() === '' && { name: CONTACT_PROBLEMS['contact.name_required'].title }),
    ...(email.trim() === '' && { email: CONTACT_PROBLEMS['contact.email_required'].title }),
    ...(message.trim() === '' && { message: CONTACT_PROBLEMS['contact.message_required'].title }),
  }
}
