/**
 * Focuses the first other required field that is still empty, or the payment buttons if there is none and a payment is
 * due. Returns false if the form can be submitted instead. Source: rules B8 and B30.
 */
export function focusNextRequiredField(
  from: HTMLInputElement,
  form: HTMLFormElement,
  isPaid: boolean,
): boolean {
  const required = [...form.querySelectorAll<HTMLInputElement>('[aria-required]')]
  const next =
    required.find((field) => field !== from && field.value.trim() === '') ??
    (isPaid ? form.querySelector<HTMLElement>('[data-focus="pay"]') : null)
  next?.focus()
  return isPaid || next !== null
}
