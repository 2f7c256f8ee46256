import { type BookingDraft, setDraftType } from './booking-draft.ts'

const TEXTS = ['name', 'email', 'phone', 'title', 'notes'] as const

/**
 * Reads the visitor's input from before hydration, because the server-rendered form can be used immediately. Without
 * this, React would overwrite the input with its empty state.
 */
export function readInputBeforeHydration(form: HTMLFormElement): Partial<BookingDraft> {
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

/** Merges the input from before hydration into the draft. A different type clears the chosen time. Source: rule B15. */
export function mergeInputIntoDraft(draft: BookingDraft, typed: Partial<BookingDraft>): BookingDraft {
  return { ...setDraftType(draft, typed.typeId ?? draft.typeId), ...typed }
}
