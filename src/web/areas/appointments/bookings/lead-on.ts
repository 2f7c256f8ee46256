/**
 * Leads from a text field to the first other one that is required and still empty, else to the payment where one is due.
 * False when the form can be sent instead. Source: rules B8 and B30.
 */
export function leadOn(from: HTMLInputElement, form: HTMLFormElement, isPaid: boolean): boolean {
  const required = [...form.querySelectorAll<HTMLInputElement>('[aria-required]')]
  const next =
    required.find((field) => field !== from && field.value.trim() === '') ??
    (isPaid ? form.querySelector<HTMLElement>('[data-focus="pay"]') : null)
  next?.focus()
  return isPaid || next !== null
}
