import { type BookingDraft, withType } from './booking-draft.ts'

const TEXTS = ['name', 'email', 'phone', 'title', 'notes'] as const

/**
 * What was chosen and typed before the page's script ran: the form comes as HTML and can be used at once. Without this,
 * React would replace it with its own empty state.
 */
export function readTypedEarly(form: HTMLFormElement): Partial<BookingDraft> {
  const texts = TEXTS.flatMap((field) => {
    const control = form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[data-focus="${field}"]`)
    return control === null || control.value === control.defaultValue ? [] : [[field, control.value]]
  })
  const type = form.querySelector<HTMLInputElement>('[name="appointment-type"]:checked')
  return {
    ...Object.fromEntries(texts),
    ...(type !== null && !type.defaultChecked && { typeId: type.value }),
  }
}

/** The draft with what was chosen and typed early. Another type has other times. Source: rule B15. */
export function withTyped(draft: BookingDraft, typed: Partial<BookingDraft>): BookingDraft {
  return { ...withType(draft, typed.typeId ?? draft.typeId), ...typed }
}
